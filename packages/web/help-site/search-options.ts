import type { Options } from 'minisearch'

/** Shared by the build, which writes the index, and the page, which reads it: both must split and fold words alike. */
export const searchOptions: Options = {
  fields: ['title', 'page', 'text'],
  storeFields: ['page', 'title', 'text'],
  processTerm: fold,
}

/** Folded like search keywords: case and diacritics are ignored. */
export function fold(term: string): string {
  return term.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
}
