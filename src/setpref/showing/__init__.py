"""Sentences, tables and figures for people, from plain facts; nothing is computed or printed here."""
