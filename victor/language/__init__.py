"""Language identification: two n-gram methods on shipped profiles, and fastText's model."""

from victor.language.beesley import BeesleyIdentifier
from victor.language.cavnar import CavnarIdentifier
from victor.language.fasttext import FastTextDetector, find_model
from victor.language.profiles import (
    UNDETERMINED,
    Identifier,
    LanguageProfile,
    load_profile,
    load_profiles,
    train,
)

__all__ = [
    "UNDETERMINED",
    "BeesleyIdentifier",
    "CavnarIdentifier",
    "FastTextDetector",
    "Identifier",
    "LanguageProfile",
    "find_model",
    "load_profile",
    "load_profiles",
    "train",
]
