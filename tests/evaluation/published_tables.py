"""Rankings as the papers print them: the columns from which they come, and the scores and ranks that must come out.

Values are those of the printed tables, so they are rounded; where rounding makes a tie that the organisers' own values
did not have, the table says so.
"""

REFUGE_4 = """team,auc
VRT,0.9885
SDSAIRC,0.9817
CUHKMED,0.9644
NKSG,0.9587
Mammoth,0.9555
Masker,0.9524
SMILEDeepDR,0.9508
BUCT,0.9348
WinterFell,0.9327
NightOwl,0.9101
Cvblab,0.8806
AIML,0.8458
"""
"""Orlando et al. 2020, Table 4, in the order of its ranks 1 to 12."""

REFUGE_6 = """team,dice_cup,dice_disc,mae_vcdr
CUHKMED,0.8826,0.9602,0.0450
Masker,0.8837,0.9464,0.0414
BUCT,0.8728,0.9525,0.0456
NKSG,0.8643,0.9488,0.0465
VRT,0.8600,0.9532,0.0525
AIML,0.8519,0.9505,0.0469
Mammoth,0.8667,0.9361,0.0526
SMILEDeepDR,0.8367,0.9386,0.0488
NightOwl,0.8257,0.9487,0.0563
SDSAIRC,0.8315,0.9436,0.0674
Cvblab,0.7728,0.9077,0.0798
WinterFell,0.6861,0.8772,0.1536
"""
"""Orlando et al. 2020, Table 6, in the order of its ranks 1 to 12."""

REFUGE_6_PRINTED = {  # score, rank of cup, disc and vCDR
    "CUHKMED": (1.75, 2, 1, 2),
    "Masker": (2.5, 1, 7, 1),
    "BUCT": (3, 3, 3, 3),
    "NKSG": (4.6, 5, 5, 4),
    "VRT": (5.4, 6, 2, 7),
    "AIML": (5.45, 7, 4, 5),
    "Mammoth": (7.1, 4, 10, 8),
    "SMILEDeepDR": (7.45, 8, 9, 6),  # printed 4, 10, 8: Mammoth's line again; its score needs 8, 9, 6
    "NightOwl": (8.6, 10, 6, 9),
    "SDSAIRC": (9.15, 9, 8, 10),
    "Cvblab": (11, 11, 11, 11),
    "WinterFell": (12, 12, 12, 12),
}

ADAM = """team,auc,dice_disc,f1_disc,mean_distance_fovea,\
dice_drusen,f1_drusen,dice_exudate,f1_exudate,dice_hemorrhage,f1_hemorrhage,dice_scar,f1_scar,dice_other,f1_other
VUNO EYE TEAM,0.9714,0.9370,0.9894,18.5538,\
0.4838,0.6316,0.4154,0.5688,0.4303,0.7307,0.4051,0.7027,0.2852,0.0714
ForbiddenFruit,0.9592,0.9420,0.9912,19.7074,\
0.4007,0.5443,0.2866,0.5155,0.2079,0.8293,0.5639,0.8511,0.1224,0.0085
Zasti_AI,0.9581,0.9020,0.9843,28.8555,\
0.5549,0.4972,0.4337,0.4965,0.2400,0.3614,0.5466,0.4598,0.2668,0.0290
Muenai_Tim,0.9399,0.9294,0.9737,69.0398,\
0.4483,0.5535,0.2140,0.4634,0.2164,0.6038,0.4248,0.6957,0.1595,0.0910
ADAM-TEAM,0.9287,0.9417,0.9675,205.7886,\
0.3260,0.1986,0.3256,0.1785,0.1815,0.1093,0.4038,0.1002,0.0698,0.0100
WWW,0.9178,0.9445,0.9793,36.3596,\
0.4836,0.4018,0.3174,0.5581,0.2190,0.6000,0.5807,0.7273,0.0344,0.1176
XxlzT,0.9097,0.9486,0.9913,284.0335,\
0.0157,0.0556,0.1593,0.4096,0.0186,0.0690,0.1014,0.2963,0.0000,0.0000
TeamTiger,0.9086,0.9429,0.9792,192.6720,\
0.3260,0.1982,0.3256,0.1777,0.1815,0.1087,0.4038,0.0998,0.0698,0.0100
Airamatrix,0.8847,0.9475,0.9862,26.1720,\
0.3518,0.5674,0.2606,0.4673,0.2257,0.2466,0.4080,0.6500,0.6906,0.1818
CHING WEI WANG (NTUST),,0.9224,0.9375,109.0659,\
0.2903,0.5153,0.2035,0.4724,0.1402,0.4932,0.2996,0.5806,0.2118,0.4724
Voxelcloud Team,,,,25.2316,,,,,,,,,,
"""
"""Fang et al. 2022, Tables 3, 5, 7 and 9 side by side; two teams did not take part in every task."""

ADAM_PRINTED = {  # rank in Table 3, 5, 7 and 9
    "VUNO EYE TEAM": (1, 6, 1, 1),
    "ForbiddenFruit": (2, 3, 2, 5),
    "Zasti_AI": (3, 8, 5, 2),
    "Muenai_Tim": (4, 9, 7, 6),
    "ADAM-TEAM": (5, 7, 10, 8),
    "WWW": (6, 4, 6, 3),
    "XxlzT": (7, 1, 11, 10),
    "TeamTiger": (8, 5, 9, 9),
    "Airamatrix": (9, 2, 4, 4),
    "CHING WEI WANG (NTUST)": (None, 10, 8, 7),
    "Voxelcloud Team": (None, None, 3, None),
}

AGE_3 = """team,phase,mean_distance_spur,delta_aod
EFFUNET,online,12.95,0.0456
RedScarf,online,16.55,0.1200
Dream Sun,online,12.90,0.0424
VistaLab,online,15.18,0.0470
CUEye,online,13.43,0.0450
MIPAV,online,13.76,0.0390
iMed,online,16.32,0.0547
Cerostar,online,13.53,0.0472
EFFUNET,onsite,12.65,0.0355
RedScarf,onsite,9.40,0.0277
Dream Sun,onsite,12.47,0.0365
VistaLab,onsite,14.00,0.0430
CUEye,onsite,14.39,0.0430
MIPAV,onsite,14.35,0.0469
iMed,onsite,14.87,0.0483
Cerostar,onsite,14.41,0.0486
"""
AGE_3_PRINTED = {  # rank online and onsite, S_final, final rank
    "EFFUNET": (4, 2, 2.4, 1),
    "RedScarf": (8, 1, 2.4, 1),
    "Dream Sun": (1, 3, 2.6, 3),
    "VistaLab": (6, 4, 4.4, 4),
    "CUEye": (3, 5, 4.6, 5),
    "MIPAV": (2, 6, 5.2, 6),
    "iMed": (7, 7, 7.0, 7),
    "Cerostar": (5, 8, 7.4, 8),
}
"""Fu et al. 2020, Table 3. ΔAOD of VistaLab and CUEye on-site is printed alike, 0.0430; their order holds even so."""

AGE_4 = """team,phase,auc,sensitivity,specificity
EFFUNET,online,1.00000,1.00000,1.00000
RedScarf,online,0.99976,0.99375,0.99531
VistaLab,online,1.00000,0.99688,1.00000
Dream Sun,online,1.00000,1.00000,1.00000
MIPAV,online,1.00000,1.00000,1.00000
iMed,online,0.99983,0.98750,0.99844
Cerostar,online,0.99999,0.99959,1.00000
CUEye,online,0.99297,1.00000,0.98594
EFFUNET,onsite,1.00000,1.00000,1.00000
RedScarf,onsite,1.00000,1.00000,1.00000
VistaLab,onsite,0.99998,1.00000,0.99375
Dream Sun,onsite,0.99992,1.00000,0.98750
MIPAV,onsite,0.99992,0.99688,0.99844
iMed,onsite,0.99959,1.00000,0.99375
Cerostar,onsite,0.99491,1.00000,0.97422
CUEye,onsite,0.98203,1.00000,0.96406
"""
AGE_4_PRINTED = {  # rank online and onsite, S_final, final rank
    "EFFUNET": (1, 1, 1.0, 1),
    "RedScarf": (8, 1, 2.4, 2),
    "VistaLab": (4, 3, 3.2, 3),
    "Dream Sun": (1, 4, 3.4, 4),
    "MIPAV": (1, 6, 5.0, 5),
    "iMed": (7, 5, 5.4, 6),
    "Cerostar": (5, 7, 6.6, 7),
    "CUEye": (6, 8, 7.6, 8),
}
"""Fu et al. 2020, Table 4."""

GLAS_2 = """team,f1_a,f1_b,object_dice_a,object_dice_b,object_hausdorff_a,object_hausdorff_b
CUMedVision2,0.912,0.716,0.897,0.781,45.418,160.347
ExB1,0.891,0.703,0.882,0.786,57.413,145.575
ExB3,0.896,0.719,0.886,0.765,57.350,159.873
Freiburg2,0.870,0.695,0.876,0.786,57.093,148.463
CUMedVision1,0.868,0.769,0.867,0.800,74.596,153.646
ExB2,0.892,0.686,0.884,0.754,54.785,187.442
Freiburg1,0.834,0.605,0.875,0.783,57.194,146.607
CVML,0.652,0.541,0.644,0.654,155.433,176.244
LIB,0.777,0.306,0.781,0.617,112.706,190.447
vision4GlaS,0.635,0.527,0.737,0.610,107.491,210.105
"""
GLAS_2_PRINTED = {  # the six ranks in the order of the columns, and their sum
    "CUMedVision2": (1, 3, 1, 5, 1, 6, 17),
    "ExB1": (4, 4, 4, 2, 6, 1, 21),
    "ExB3": (2, 2, 2, 6, 5, 5, 22),
    "Freiburg2": (5, 5, 5, 3, 3, 3, 24),
    "CUMedVision1": (6, 1, 7, 1, 7, 4, 26),
    "ExB2": (3, 6, 3, 7, 2, 8, 29),
    "Freiburg1": (7, 7, 6, 4, 4, 2, 30),
    "CVML": (9, 8, 10, 8, 10, 7, 52),
    "LIB": (8, 10, 8, 9, 9, 9, 53),
    "vision4GlaS": (10, 9, 9, 10, 8, 10, 56),
}
"""Sirinukunwattana et al. 2017, Table 2. Object Dice of ExB1 and Freiburg2 on part B is printed alike, 0.786, but
ranked 2 and 3: the organisers had more digits."""
