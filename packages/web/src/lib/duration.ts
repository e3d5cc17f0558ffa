import { counted } from './counted.ts'

/** Lengths of time in words; when something was is told by age.ts. */

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `00d / 03h / 07m`, the specification's form of an elapsed time (document 1 section 9). Begun minutes are left out. */
export function formatElapsed(seconds: number): string {
  const two = (count: number) => String(Math.floor(count)).padStart(2, '0')
  return `${two(seconds / DAY)}d / ${two((seconds % DAY) / HOUR)}h / ${two((seconds % HOUR) / MINUTE)}m`
}

/** `23 h 56 min`, `1 min 48 s`, `2 days 4 h`: the two largest units, because a third says nothing more. */
export function formatSpan(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [days, hours] = [Math.floor(whole / DAY), Math.floor((whole % DAY) / HOUR)]
  const [minutes, rest] = [Math.floor((whole % HOUR) / MINUTE), whole % MINUTE]
  if (days > 0) return joined(counted(days, 'day'), hours > 0 && `${hours} h`)
  if (hours > 0) return joined(`${hours} h`, minutes > 0 && `${minutes} min`)
  if (minutes > 0) return joined(`${minutes} min`, rest > 0 && `${rest} s`)
  return `${rest} s`
}

function joined(first: string, second: string | false): string {
  return second === false ? first : `${first} ${second}`
}
