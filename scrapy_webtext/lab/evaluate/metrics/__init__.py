"""Measures of extracted text and of judgements: those of the five papers and today's.

Compared are the extracted text ("predicted") and the gold text.

==========  ================================================================================
overlap     words and 4-shingles: precision, recall and F1 of multisets, as today's benchmarks
            have them; the P value paper's "accurately extracted" pages, WFFTE's accuracy and
            completeness
judgement   the confusion table of the P value paper, the area under the ROC curve, the
            calibration curve
characters  longest common subsequence, edit distance ratio and space saved, of the
            text-to-tag ratio paper; segments that a label names
sentences   sentences lost and noise blocks: excellent, good or poor, of the naive Bayes paper
==========  ================================================================================
"""

from scrapy_webtext.lab.evaluate.metrics.characters import (
    Segments,
    edit_distance_ratio,
    lcs_recall,
    segments,
    space_saved,
    space_saved_compressed,
)
from scrapy_webtext.lab.evaluate.metrics.judgement import (
    Bin,
    Confusion,
    area_under_roc,
    calibration,
    calibration_error,
    confusion,
)
from scrapy_webtext.lab.evaluate.metrics.overlap import (
    Completeness,
    Overlap,
    Unit,
    accurate_ratio,
    completeness,
    mean_overlap,
    pooled_f1,
    shingle_overlap,
    word_overlap,
)
from scrapy_webtext.lab.evaluate.metrics.sentences import (
    Grade,
    Grades,
    Losses,
    grades,
    losses,
    sentences,
)

__all__ = [
    "Bin",
    "Completeness",
    "Confusion",
    "Grade",
    "Grades",
    "Losses",
    "Overlap",
    "Segments",
    "Unit",
    "accurate_ratio",
    "area_under_roc",
    "calibration",
    "calibration_error",
    "completeness",
    "confusion",
    "edit_distance_ratio",
    "grades",
    "lcs_recall",
    "losses",
    "mean_overlap",
    "pooled_f1",
    "segments",
    "sentences",
    "shingle_overlap",
    "space_saved",
    "space_saved_compressed",
    "word_overlap",
]
