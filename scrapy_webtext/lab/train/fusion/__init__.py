"""Training of ``fusion`` and ``learned``: one trainer for each part of the model.

The modules in the order in which `training` uses them:

=============  ==========================================================
examples       labelled pages as features, labels and counts of tokens
negatives      more pages that are no articles, made from articles
token_scores   scores of class names and of words of short texts
bag_of_words   weights of class names and terms
blocks         the two passes over blocks
early_exits    where blocks may leave a forest early
article        the article classifier
training       all of these, and the model file
=============  ==========================================================

``boosting`` fits trees with LightGBM, ``class_weights`` balances articles and other pages, and
``left_out`` groups pages for `train.validation`.
"""
