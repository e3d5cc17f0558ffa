import type { LogHit } from '@benchwatch/contract/logs'
import { LogFieldText } from './log-highlight.tsx'
import styles from './log-level.module.css'

type Tone = 'error' | 'warning' | 'plain'

/**
 * Shows the level in the machine's own words, which differ by manufacturer; errors and warnings have their own shapes.
 */
export function LogLevel({ hit }: { hit: LogHit }) {
  const tone = toneOf(hit._source['log.level'])
  return (
    <span className={styles.level} data-tone={tone}>
      {tone !== 'plain' && (
        <svg viewBox="0 0 12 12" width="9" height="9" aria-hidden="true">
          <path d={tone === 'error' ? 'M6 .8 11.6 11H.4Z' : 'M6 .4 11.6 6 6 11.6.4 6Z'} fill="currentColor" />
        </svg>
      )}
      <LogFieldText hit={hit} field="log.level" />
    </span>
  )
}

function toneOf(level: string | null): Tone {
  if (level === null) return 'plain'
  if (/^(?:err|crit|fatal|severe|alert|emerg|panic)/iu.test(level)) return 'error'
  return /^warn/iu.test(level) ? 'warning' : 'plain'
}
