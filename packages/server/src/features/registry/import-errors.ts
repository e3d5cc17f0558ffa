/** What is wrong at one place of a file. Lines count from 1, the head of a CSV included; no path: the line as a whole. */
export interface ImportError {
  line: number
  path: string
  message: string
}

/** More than anybody mends before the next try. */
export const MOST_ERRORS = 1000

/** The errors in the order of their lines, cut where they are too many; the last one then says so. */
export function toldErrors(errors: readonly ImportError[]): ImportError[] {
  const sorted = [...errors].sort((a, b) => a.line - b.line)
  const next = sorted[MOST_ERRORS]
  if (!next) return sorted
  return [
    ...sorted.slice(0, MOST_ERRORS),
    { line: next.line, path: '', message: 'There are more errors from this line on. Mend those above first.' },
  ]
}
