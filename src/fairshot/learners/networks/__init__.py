"""Networks from images to vectors, one a file; what answers on these vectors is in `learners.classifiers`."""
