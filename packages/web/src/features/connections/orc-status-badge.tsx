import type { OrcStatus } from '@benchwatch/contract/vocabulary'
import { formatTooltipTime } from '../../lib/time/dates.ts'
import { StatusMark, type StatusTone } from '../../ui/text/status-mark.tsx'
import { isLost, isMonitored } from './monitoring-note.tsx'

const tones: Record<OrcStatus, StatusTone> = {
  Connected: 'good',
  'Edge Issue': 'warning',
  Disconnected: 'lost',
  Onboarding: 'waiting',
}

/** The meaning of each status (document 2 section 4), shown as a tooltip. */
const meanings: Record<OrcStatus, string> = {
  Connected: 'Instrument connected',
  'Edge Issue': 'Edge gateway offline or other errors',
  Disconnected: 'Instrument not connected to the gateway',
  Onboarding: 'System set-up not complete',
}

/** The ORC status of an instrument as shape and label. If the connection is lost, the tooltip says since when. */
export function OrcStatusBadge({ status, unknownAt }: { status: OrcStatus; unknownAt: string | null }) {
  return (
    <span title={orcStatusLabel({ status, unknownAt })}>
      <StatusMark tone={tones[status]}>{status}</StatusMark>
    </span>
  )
}

/** Returns since when the connection is lost, or else what the status means. */
export function orcStatusLabel({ status, unknownAt }: { status: OrcStatus; unknownAt: string | null }): string {
  if (!isLost(status) || unknownAt === null) return meanings[status]
  const since = `Connection lost since ${formatTooltipTime(unknownAt)}`
  return isMonitored(status) ? since : `${since}. Monitoring unavailable.`
}
