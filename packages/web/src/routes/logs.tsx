import { Flex, Group, Paper, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useState } from 'react'
import { detailsQuery } from '../features/events/events.api.ts'
import { SeverityBadge } from '../features/events/status/severity-badge.tsx'
import {
  type CompareAddress,
  readCompareAddress,
  writeCompareAddress,
} from '../features/logs/compare/compare-address.ts'
import { CompareLogs, CompareSkeleton } from '../features/logs/compare/compare-logs.tsx'
import { ApiError } from '../lib/http.ts'
import { Breadcrumb, PageHeader } from '../ui/layout/page-frame.tsx'
import { Chevron } from '../ui/text/chevron.tsx'

/** /logs/{installed product id}: two logs of an instrument side by side, around an event if the address names one. */
export function LogsScreen() {
  const { installedProductId = '' } = useParams({ strict: false })
  const address = readCompareAddress(useSearch({ strict: false }))
  const navigate = useNavigate()
  const show = useCallback(
    (next: CompareAddress) =>
      void navigate({
        to: '/logs/$installedProductId',
        params: { installedProductId },
        search: writeCompareAddress(next),
        replace: true,
        resetScroll: false,
      }),
    [navigate, installedProductId],
  )
  // Invalid values leave the address at once; the notice about them stays until another log, time or search is chosen.
  const [corrected, setCorrected] = useState<readonly string[]>([])
  const correct = useEffectEvent(() => {
    setCorrected(address.problems)
    show(address)
  })
  const isWrong = address.problems.length > 0
  useEffect(() => {
    if (isWrong) correct()
  }, [isWrong])
  const details = useQuery({ ...detailsQuery(address.eventId ?? ''), enabled: address.eventId !== null })
  const event = details.data
  const isOther = event !== undefined && event.instrumentInstalledProductId !== installedProductId
  const shown = event === undefined || isOther ? null : event
  const problems = [
    ...(isWrong ? address.problems : corrected),
    ...(isOther ? [`ORC-${event.eventId} is about another instrument, so its time is not marked.`] : []),
    ...(details.isError ? [eventProblem(details.error, address.eventId)] : []),
  ]
  const name = shown?.instrumentDefinedSystemName ?? installedProductId

  const crumb = (label: ReactNode) => (
    <Group component="span" gap={3} wrap="nowrap" mih={{ base: 40, md: 0 }}>
      <Chevron to="left" /> {label}
    </Group>
  )

  return (
    // As high as the window, so that only the log lines scroll; on a phone they fill it once the rest is scrolled away.
    <Flex
      direction="column"
      gap={{ base: 8, md: 12 }}
      h={{ base: 'auto', md: 'calc(100dvh - var(--bw-header) - var(--bw-footer) - 36px)' }}
      mih={{ base: 0, md: 560 }}
    >
      <PageHeader
        crumbs={
          <Breadcrumb
            link={
              shown === null ? (
                <Link to="/instruments/$instrumentId" params={{ instrumentId: installedProductId }}>
                  {crumb(installedProductId)}
                </Link>
              ) : (
                <Link to="/events/$eventId" params={{ eventId: shown.eventId }}>
                  {crumb(`ORC-${shown.eventId}`)}
                </Link>
              )
            }
            current="Logs side by side"
          />
        }
        title={
          <>
            Logs of <bdi>{name}</bdi>
          </>
        }
        note={
          shown !== null && (
            <Group component="span" gap="2px 10px" align="baseline" wrap="nowrap">
              <SeverityBadge severity={shown.severity} />
              <Text span inherit lineClamp={2}>
                <bdi>{shown.description}</bdi>
              </Text>
              {name !== installedProductId && (
                <Text span inherit c="var(--bw-ink-3)" visibleFrom="md">
                  {installedProductId}
                </Text>
              )}
            </Group>
          )
        }
      />
      {address.eventId !== null && details.isPending ? (
        <Paper withBorder flex={{ md: 1 }} h={{ base: '60dvh', md: 'auto' }} style={{ overflow: 'hidden' }}>
          <CompareSkeleton />
        </Paper>
      ) : (
        <CompareLogs
          // Another instrument starts with fresh state.
          key={installedProductId}
          installedProductId={installedProductId}
          address={{ ...address, problems }}
          event={shown && { eventId: shown.eventId, at: Date.parse(shown.logGeneratedAt), severity: shown.severity }}
          siteZone={shown?.siteTimeZone ?? null}
          onAddress={(next) => {
            setCorrected([])
            show(next)
          }}
        />
      )}
    </Flex>
  )
}

function eventProblem(error: Error, eventId: string | null): string {
  const isGone = error instanceof ApiError && (error.status === 404 || error.status === 400)
  return isGone
    ? `ORC-${eventId} could not be found, so its time is not marked.`
    : `Could not get ORC-${eventId}, so its time is not marked. Reload the page to try again.`
}
