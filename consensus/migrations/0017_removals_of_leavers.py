from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('consensus', '0016_discussions'),
    ]

    operations = [
        migrations.AddField(
            model_name='removal',
            name='was_active',
            field=models.BooleanField(default=True),
        ),
    ]
