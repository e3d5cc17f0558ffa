import type { GatewayFeed } from '@benchwatch/contract/backoffice'
import type { StatusTone } from '../../ui/status-mark.tsx'

/** The state of the feed in words: never by colour alone. */

export const feedStateWords: Record<GatewayFeed['state'], { tone: StatusTone; word: string; means: string }> = {
  heard: { tone: 'good', word: 'Heard', means: 'Messages come in time.' },
  late: { tone: 'warning', word: 'Late', means: 'Nothing came for a while, or what comes is far behind its time.' },
  silent: { tone: 'off', word: 'Silent', means: 'Nothing came for so long that the connection counts as lost.' },
  never: { tone: 'waiting', word: 'Never heard', means: 'No message has come yet.' },
}

type LastTest = NonNullable<GatewayFeed['lastTest']>

export const testWords: Record<LastTest['result'], { tone: StatusTone; word: string }> = {
  arrived: { tone: 'good', word: 'Arrived' },
  late: { tone: 'warning', word: 'Late' },
  missing: { tone: 'off', word: 'Missing' },
  waiting: { tone: 'waiting', word: 'Under way' },
}

/** `0.8 s`, `42 s`, `3 min 20 s`, `2 h 5 min`; a clock that is ahead has a minus. */
export function secondsWords(seconds: number): string {
  const sign = seconds < 0 ? '−' : ''
  const length = Math.abs(seconds)
  if (length < 10) return `${sign}${Math.round(length * 10) / 10} s`
  const whole = Math.round(length)
  if (whole < 60) return `${sign}${whole} s`
  const [size, large, small] = whole < 3600 ? ([60, 'min', 's'] as const) : ([3600, 'h', 'min'] as const)
  const rest = Math.floor((whole % size) / (size / 60))
  return `${sign}${Math.floor(whole / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`
}

/** How many gateways are in each state that is not as it should be, in words; null where all are heard. */
export function feedSummary(feeds: readonly Pick<GatewayFeed, 'state'>[]): string | null {
  const counts = (['late', 'silent', 'never'] as const).flatMap((state) => {
    const count = feeds.filter((feed) => feed.state === state).length
    return count === 0 ? [] : [`${count} ${feedStateWords[state].word.toLowerCase()}`]
  })
  return counts.length === 0 ? null : counts.join(', ')
}

const urgency: Record<GatewayFeed['state'], number> = { silent: 0, late: 1, never: 2, heard: 3 }

/** What somebody should look at stands first; within a state the order stays. */
export function worstFirst<Feed extends Pick<GatewayFeed, 'state' | 'parked'>>(feeds: readonly Feed[]): Feed[] {
  return feeds.toSorted((a, b) => urgency[a.state] - urgency[b.state] || Number(b.parked > 0) - Number(a.parked > 0))
}
