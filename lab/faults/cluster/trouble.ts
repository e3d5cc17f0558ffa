import type { Answer } from '../product/http-client.ts'

/**
 * Returns the longest time in milliseconds in which a caller got only 5xx or no answer: from the first such request
 * to the end of the next one that was answered otherwise, or to the end of the last.
 */
export function longestTrouble(answers: readonly Pick<Answer, 'status' | 'startedAt' | 'tookMs'>[]): number {
  let longest = 0
  let since: number | null = null
  for (const { status, startedAt, tookMs } of answers.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const hasTrouble = status === 0 || status >= 500
    if (hasTrouble) since ??= startedAt
    if (since !== null) longest = Math.max(longest, startedAt + tookMs - since)
    if (!hasTrouble) since = null
  }
  return longest
}
