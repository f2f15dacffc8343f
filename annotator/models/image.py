"""Subjects, eyes and images. The pixels live in a content-addressed store; these rows say what they are."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from annotator.ids import new_public_id
from annotator.models.constraints import SHA256, one_of, positive
from annotator.models.people import User
from annotator.models.study import Study


class Subject(models.Model):
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="subjects")
    pseudonym = models.CharField(_("pseudonym"), max_length=64)

    class Meta:
        verbose_name = _("subject")
        constraints = [
            models.UniqueConstraint(fields=["study", "pseudonym"], name="pseudonym_is_unique_in_study"),
            models.CheckConstraint(condition=~Q(pseudonym=""), name="subject_has_a_pseudonym"),
        ]

    def __str__(self) -> str:
        return self.pseudonym


class EyeSide(models.TextChoices):
    RIGHT = "R", _("Right")
    LEFT = "L", _("Left")
    UNKNOWN = "U", _("Not stated")


class Eye(models.Model):
    Side = EyeSide

    subject = models.ForeignKey(Subject, on_delete=models.PROTECT, related_name="eyes")
    side = models.CharField(_("side"), max_length=1, choices=Side.choices)

    class Meta:
        verbose_name = _("eye")
        constraints = [
            models.UniqueConstraint(fields=["subject", "side"], name="one_eye_per_side"),
            one_of("side", EyeSide, "eye_side_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.subject} {self.side}"


class ImageFormat(models.TextChoices):
    JPEG = "jpeg", "JPEG"
    PNG = "png", "PNG"
    TIFF = "tiff", "TIFF"
    BMP = "bmp", "BMP"
    DICOM = "dicom", "DICOM"


class ServedFormat(models.TextChoices):
    """What browsers show; everything else is written anew as PNG."""

    JPEG = "jpeg", "JPEG"
    PNG = "png", "PNG"


class Image(models.Model):
    """Width and height are those of the upright grid, which is what all geometry means. `sha256` is that of the file
    that was imported; of a file that holds several pictures each is an image of its own, told apart by `frame`."""

    Format = ImageFormat

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id, editable=False)
    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="images")
    subject = models.ForeignKey(Subject, on_delete=models.PROTECT, related_name="images")
    eye = models.ForeignKey(Eye, on_delete=models.PROTECT, related_name="images", null=True, blank=True)
    order_in_eye = models.PositiveSmallIntegerField(_("order in the eye"), default=1)
    sha256 = models.CharField(max_length=64, validators=[SHA256])
    frame = models.PositiveSmallIntegerField(_("frame"), default=1)
    format = models.CharField(max_length=8, choices=Format.choices)
    served_format = models.CharField(max_length=8, choices=ServedFormat.choices)
    byte_count = models.PositiveBigIntegerField()
    width = models.PositiveIntegerField(_("width"))
    height = models.PositiveIntegerField(_("height"))
    bits = models.PositiveSmallIntegerField(_("bits"))
    channels = models.PositiveSmallIntegerField(_("channels"))
    um_per_px_x = models.FloatField(_("µm per pixel, x"), null=True, blank=True)
    um_per_px_y = models.FloatField(_("µm per pixel, y"), null=True, blank=True)
    device = models.CharField(_("device"), max_length=120, blank=True)
    original_name = models.CharField(_("original name"), max_length=255)  # for organisers only
    added_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("image")
        ordering = ["pk"]
        indexes = [models.Index(fields=["study", "original_name"], name="image_by_name")]
        constraints = [
            models.UniqueConstraint(fields=["study", "sha256", "frame"], name="image_once_in_study"),
            models.UniqueConstraint(fields=["eye", "order_in_eye"], name="order_in_eye_is_unique"),
            models.CheckConstraint(
                condition=Q(width__range=(1, 65535)) & Q(height__range=(1, 65535)), name="image_has_a_size"
            ),
            models.CheckConstraint(condition=Q(bits__in=[8, 16]), name="image_bits_are_8_or_16"),
            models.CheckConstraint(condition=Q(channels__in=[1, 2, 3, 4]), name="image_channels_are_known"),
            models.CheckConstraint(condition=Q(frame__gte=1), name="frame_starts_at_one"),
            models.CheckConstraint(condition=Q(order_in_eye__gte=1), name="order_in_eye_starts_at_one"),
            one_of("format", ImageFormat, "image_format_is_known"),
            one_of("served_format", ServedFormat, "image_served_format_is_known"),
            positive("um_per_px_x", "um_per_px_y", name="pixel_size_is_positive"),
        ]

    def __str__(self) -> str:
        return self.public_id
