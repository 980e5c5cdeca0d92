"""Results from elsewhere: what methods scored on items of data sets, whoever measured it."""
