import type { ServiceEvent } from '@benchwatch/contract/events/events'
import type { AvailableLog } from '@benchwatch/contract/instruments/logs'
import type { logDashboardPlaceholders } from '@benchwatch/contract/page-settings'
import { Anchor, Box, Button, Checkbox, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { pageSettings } from '../../../lib/page-settings.ts'
import { agePhrase } from '../../../lib/time/duration.ts'
import { RetryLine } from '../../../ui/text/notice.tsx'
import { SkeletonLine } from '../../../ui/text/skeleton.tsx'
import { compareLogsHref } from '../compare/compare-address.ts'
import { type LogChoice, logLabel, pairProblem, writeLog } from '../log-labels.ts'
import { type EventPlace, type LogWindow, windowOfEvent } from '../log-pages.ts'
import { missingLines } from '../log-time.ts'
import { availableLogsQuery } from '../logs.api.ts'

/** Rules of 'View Logs': document 1 section 5 ("Log type selection"). Checkboxes are identified by `writeLog`. */

type Placeholder = (typeof logDashboardPlaceholders)[number]

/** Two logs of an instrument around a moment. */
interface LogPair {
  installedProductId: string
  first: LogChoice
  second: LogChoice
  window: LogWindow
  /** ISO instant of the event. */
  at: string
}

/** Maximum number of logs side by side. */
const MOST_CHOSEN = 2

/** Result of the checkboxes. */
type LogsChosen =
  | { kind: 'none' }
  | { kind: 'one'; log: LogChoice }
  | { kind: 'two'; first: LogChoice; second: LogChoice }
  | { kind: 'refused'; reason: string }

interface PanelProps {
  event: ServiceEvent
  place: EventPlace
  onView: (log: LogChoice) => void
  onClose: () => void
}

/** Content of 'View Logs': a checkbox per log, at most two ticked. A press on the name of a log opens it. */
export function ViewLogsPanel({ event, place, onView, onClose }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  const [ticked, setTicked] = useState<readonly string[]>([])
  const available = useQuery({
    ...availableLogsQuery(event.instrumentInstalledProductId),
    enabled: !event.isEdgeIssue,
  })
  // The popover looks for its first field before this panel is loaded.
  useEffect(() => panel.current?.focus(), [])
  const chosen = logsChosen(available.data?.values ?? [], ticked)
  const missing = available.data?.completeFrom
  const hasNone = available.data?.values.length === 0
  const view = { children: 'View', flex: 'none' }
  return (
    <Box ref={panel} p={4} tabIndex={-1} style={{ outline: 'none' }}>
      <Title order={2} fz={15}>
        Select 2 logs to view side-by-side
      </Title>
      <Text size="xs" c="dimmed" mt={4}>
        {event.isEdgeIssue
          ? 'This event is about a gateway, which keeps no logs of its own. Its instruments do: open an event of one of them.'
          : 'Logs can take up to 20 minutes after the event to sync.'}
      </Text>
      {!event.isEdgeIssue && (
        <>
          {missing && <RetryLine onRetry={() => void available.refetch()}>{missingLines(missing)}</RetryLine>}
          {available.isError && <RetryLine onRetry={() => void available.refetch()}>Could not get logs</RetryLine>}
          {hasNone && !missing && <Text mt={14}>This instrument has not sent any logs yet.</Text>}
          {!available.isError && !hasNone && (
            <LogBoxes logs={available.data?.values} ticked={ticked} onTick={setTicked} onView={onView} />
          )}
          <Group justify="space-between" gap={12} wrap="nowrap" mih={34} mt={12}>
            <Text role="alert" c="var(--bw-danger)">
              {chosen.kind === 'refused' && chosen.reason}
            </Text>
            {chosen.kind === 'two' ? (
              // A link, so that users can open the tab in their own way.
              <Button
                {...view}
                component="a"
                href={pairHref(chosen, event, place)}
                target="_blank"
                rel="noopener noreferrer"
                onClick={onClose}
              />
            ) : (
              <Button
                {...view}
                disabled={chosen.kind !== 'one'}
                onClick={() => chosen.kind === 'one' && onView(chosen.log)}
              />
            )}
          </Group>
        </>
      )}
    </Box>
  )
}

/** Without `logs`, a skeleton of them. */
function LogBoxes(props: {
  logs: readonly AvailableLog[] | undefined
  ticked: readonly string[]
  onTick: (ticked: readonly string[]) => void
  onView: (log: LogChoice) => void
}) {
  const { logs, ticked, onTick, onView } = props
  const row = { mih: 'var(--bw-control)', px: 8, py: 4 }
  return (
    <Box mah={{ base: '46dvh', md: 'min(330px, 30dvh)' }} mt={8} mx={-8} style={{ overflowY: 'auto' }}>
      <Text size="xs" c="dimmed" ta="end" px={8}>
        Newest line
      </Text>
      {logs === undefined ? (
        <div role="status" aria-label="Loading logs">
          {[150, 110, 170, 130, 160, 120].map((width) => (
            <Group key={width} {...row}>
              <SkeletonLine width={`${width}px`} />
            </Group>
          ))}
        </div>
      ) : (
        <div role="group" aria-label="Logs">
          {logs.map((log) => {
            const name = writeLog(log)
            const isTicked = ticked.includes(name)
            return (
              <Group key={name} {...row} gap={10} wrap="nowrap" data-log={name}>
                <Checkbox
                  aria-label={logLabel(log)}
                  checked={isTicked}
                  disabled={!canTick(log, ticked)}
                  onChange={() => onTick(isTicked ? ticked.filter((one) => one !== name) : [...ticked, name])}
                />
                <Anchor component="button" type="button" ta="start" flex={1} onClick={() => onView(log)}>
                  <bdi>{logLabel(log)}</bdi>
                </Anchor>
                <Text size="xs" c="dimmed">
                  {log.newest === null ? 'no lines yet' : agePhrase(log.newest, Date.now())}
                </Text>
              </Group>
            )
          })}
        </div>
      )}
    </Box>
  )
}

/** A configured dashboard replaces the console's own page. */
function pairHref({ first, second }: { first: LogChoice; second: LogChoice }, event: ServiceEvent, place: EventPlace) {
  const { logDashboardUrl } = pageSettings()
  const installedProductId = event.instrumentInstalledProductId
  const at = event.logGeneratedAt
  return logDashboardUrl === null
    ? compareLogsHref({ installedProductId, first, second, eventId: event.eventId, at: Date.parse(at) })
    : dashboardHref(logDashboardUrl, { installedProductId, first, second, at, window: windowOfEvent(at, place) })
}

export function logsChosen(logs: readonly LogChoice[], chosen: readonly string[]): LogsChosen {
  // In the order of ticking: the first is on the left.
  const [first, second] = chosen.flatMap((name) => logs.find((log) => writeLog(log) === name) ?? [])
  if (first === undefined) return { kind: 'none' }
  if (second === undefined) return { kind: 'one', log: first }
  const reason = pairProblem(first, second)
  return reason === null ? { kind: 'two', first, second } : { kind: 'refused', reason }
}

/** True if a checkbox can change: all others are disabled once two are ticked. */
export function canTick(log: LogChoice, chosen: readonly string[]): boolean {
  return chosen.length < MOST_CHOSEN || chosen.includes(writeLog(log))
}

/**
 * Fills the placeholders of an external dashboard's address, percent-encoded; docs/configuration.md,
 * LOG_DASHBOARD_URL.
 */
export function dashboardHref(template: string, { installedProductId, first, second, window, at }: LogPair): string {
  const values: Record<Placeholder, string> = {
    installedProductId,
    firstLogType: first.logType,
    firstComputer: first.computerName ?? '',
    secondLogType: second.logType,
    secondComputer: second.computerName ?? '',
    ...window,
    at,
  }
  return template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? encodeURIComponent(values[name as Placeholder]) : whole,
  )
}
