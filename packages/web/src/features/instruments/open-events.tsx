import type { Instrument } from '@benchwatch/contract/instruments/instruments'
import { severities, severityNames } from '@benchwatch/contract/vocabulary'
import { Box } from '@mantine/core'
import { counted } from '../../lib/folded.ts'
import { SeverityShape } from '../events/status/severity-badge.tsx'

type OpenEvents = Pick<Instrument, 'eventCount' | 'openEventsBySeverity'>

/** The number of open events, with the sign of the worst one before it. The caller adds `openEventsSplit` as text. */
export function OpenEventsCount({ eventCount, openEventsBySeverity }: OpenEvents) {
  const worst = severities.find((severity) => openEventsBySeverity[severity] > 0)
  return (
    <>
      {worst !== undefined && (
        <Box component="span" mr={5} c={`var(--bw-${worst})`} data-worst={worst}>
          <SeverityShape severity={worst} size={9} />
        </Box>
      )}
      {eventCount.toLocaleString('en')}
    </>
  )
}

/** Returns e.g. '2 high, 1 medium', worst first. */
export function openEventsSplit({ openEventsBySeverity }: OpenEvents): string {
  return severities
    .filter((severity) => openEventsBySeverity[severity] > 0)
    .map(
      (severity) => `${openEventsBySeverity[severity].toLocaleString('en')} ${severityNames[severity].toLowerCase()}`,
    )
    .join(', ')
}

/** Returns e.g. '3 open events: 2 high, 1 medium'. */
export function openEventsLabel(events: OpenEvents): string {
  return [counted(events.eventCount, 'open event'), openEventsSplit(events)].filter(Boolean).join(': ')
}
