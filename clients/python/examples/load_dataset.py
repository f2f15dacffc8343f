"""Load an exported dataset: python load_dataset.py mine.zip"""

import sys

from quorum_client import Dataset

with Dataset(sys.argv[1]) as dataset:
    for photograph in dataset:
        image, disc = photograph.image(), photograph.mask("disc")
        print(photograph.name, image.shape, int(disc.sum()), photograph.point("fovea"), photograph.label("glaucoma"))
