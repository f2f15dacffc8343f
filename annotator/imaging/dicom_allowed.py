"""What is read of a DICOM file: an allow-list. Every other element, private or not, is passed over unread.

Source: PS3.6 for the numbers, PS3.3 for what they mean. docs/organiser.md shows the same list to organisers.
"""

from pydicom.datadict import tag_for_keyword

KINDS = {
    "1.2.840.10008.5.1.4.1.1.77.1.5.1": "Ophthalmic Photography 8 Bit",
    "1.2.840.10008.5.1.4.1.1.77.1.5.2": "Ophthalmic Photography 16 Bit",
    "1.2.840.10008.5.1.4.1.1.77.1.5.4": "Ophthalmic Tomography",
    "1.2.840.10008.5.1.4.1.1.77.1.5.5": "Wide Field Ophthalmic Photography Stereographic Projection",
    "1.2.840.10008.5.1.4.1.1.77.1.5.6": "Wide Field Ophthalmic Photography 3D Coordinates",
    "1.2.840.10008.5.1.4.1.1.77.1.5.7": "Ophthalmic Optical Coherence Tomography En Face",
    "1.2.840.10008.5.1.4.1.1.77.1.2": "VL Microscopic",
    "1.2.840.10008.5.1.4.1.1.77.1.3": "VL Slide-Coordinates Microscopic",
    "1.2.840.10008.5.1.4.1.1.77.1.4": "VL Photographic",
    "1.2.840.10008.5.1.4.1.1.7": "Secondary Capture",
    "1.2.840.10008.5.1.4.1.1.7.2": "Multi-frame Grayscale Byte Secondary Capture",
    "1.2.840.10008.5.1.4.1.1.7.3": "Multi-frame Grayscale Word Secondary Capture",
    "1.2.840.10008.5.1.4.1.1.7.4": "Multi-frame True Color Secondary Capture",
}
MODALITIES = {"", "OP", "OPT", "OPTENF", "XC", "GM", "SM", "OT"}
"""Of these kinds, secondary captures can be of anything."""

REFUSED_BY = ("SOPClassUID", "Modality", "BurnedInAnnotation", "RecognizableVisualFeatures")
PIXELS = (
    "SamplesPerPixel",
    "PhotometricInterpretation",
    "PlanarConfiguration",
    "NumberOfFrames",
    "Rows",
    "Columns",
    "BitsAllocated",
    "BitsStored",
    "HighBit",
    "PixelRepresentation",
    "RedPaletteColorLookupTableDescriptor",
    "GreenPaletteColorLookupTableDescriptor",
    "BluePaletteColorLookupTableDescriptor",
    "RedPaletteColorLookupTableData",
    "GreenPaletteColorLookupTableData",
    "BluePaletteColorLookupTableData",
    "ICCProfile",
    "PixelData",
)
KEPT = ("ImageLaterality", "Laterality", "PixelSpacing", "Manufacturer", "ManufacturerModelName")
# Tomography says laterality and spacing inside these, for all frames or for each.
GROUPS = ("SharedFunctionalGroupsSequence", "PerFrameFunctionalGroupsSequence")
IN_GROUPS = {"FrameAnatomySequence": "FrameLaterality", "PixelMeasuresSequence": "PixelSpacing"}


def _tags(*keywords: str) -> list[int]:
    found = [tag_for_keyword(keyword) for keyword in keywords]
    return [tag for tag in found if tag is not None]


TAGS = _tags("SpecificCharacterSet", *REFUSED_BY, *PIXELS, *KEPT, *GROUPS)
