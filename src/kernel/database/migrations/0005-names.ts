/**
 * What names are matched by when they are not spelt alike: the trigrams of the names of artists, and
 * how many songs and artists have each word and trigram.
 */
export const names = {
  version: 5,
  name: 'names',
  sql: `
-- Fed with the keys of all names of an artist, a space before and after each.
CREATE VIRTUAL TABLE artist_grams USING fts5 (
  names, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram'
);
CREATE VIRTUAL TABLE artist_gram_counts USING fts5vocab (artist_grams, row);
CREATE VIRTUAL TABLE song_word_counts USING fts5vocab (song_words, row);
-- Artists of whom nothing is written count as not yet indexed, and are when the file is opened.
DELETE FROM artist_columns;
`,
} as const
