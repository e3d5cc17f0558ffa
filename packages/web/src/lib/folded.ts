/** Lower case without marks, so that a search for "oberg" finds Öberg. */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
