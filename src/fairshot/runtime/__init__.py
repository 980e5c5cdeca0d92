"""What every stage stands on: errors, seeds, caches, files and downloads; nothing about few-shot learning."""
