import type { Options } from 'minisearch'

/** For the build, which writes the index, and the page, which reads it: both must cut and fold words alike. */
export const searchOptions: Options = {
  fields: ['title', 'page', 'text'],
  storeFields: ['page', 'title', 'text'],
  // Folded as keywords are: capital letters and accents do not matter.
  processTerm: (term) => term.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, ''),
}
