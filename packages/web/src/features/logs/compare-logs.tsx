import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffectEvent, useLayoutEffect, useMemo, useRef } from 'react'
import { ApiError } from '../../lib/http.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RetryLine } from '../../ui/retry-line.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import type { CompareAddress } from './compare-address.ts'
import { correctedSide, type Side, sides } from './compare-clock.ts'
import { CompareEnd, readOn } from './compare-ends.tsx'
import { CompareHead, type HeadSide } from './compare-head.tsx'
import type { LineDrawing } from './compare-line.tsx'
import styles from './compare-logs.module.css'
import { matchCount } from './compare-matches.ts'
import { correctedLog } from './compare-pair.ts'
import { ComparePicking } from './compare-picking.tsx'
import type { ComparedEvent } from './compare-place.ts'
import { CompareSkeleton } from './compare-skeleton.tsx'
import { CompareTable } from './compare-table.tsx'
import { CompareTools } from './compare-tools.tsx'
import { logLabel } from './log-labels.ts'
import { availableLogsQuery } from './logs.api.ts'
import { useComparedLines } from './use-compared-lines.ts'
import { useComparedLogs } from './use-compared-logs.ts'
import { useComparison } from './use-comparison.ts'
import { useMatchSeek } from './use-match-seek.ts'

/**
 * Two logs of an instrument on one time axis, with the moment of an event marked through both. What is shown stands in the
 * address; what the person does is written there by `onAddress`.
 */
export function CompareLogs(props: {
  installedProductId: string
  address: CompareAddress
  event: ComparedEvent | null
  /** IANA zone of the instrument, where it is known. */
  siteZone: string | null
  onAddress: (address: CompareAddress) => void
}) {
  const { installedProductId, address, event, siteZone } = props
  const available = useQuery(availableLogsQuery(installedProductId))
  const isPhone = useMediaQuery('(width < 720px)', false, { getInitialValueInEffect: false })
  const searchBox = useRef<HTMLInputElement>(null)
  const comparison = useComparison({ address, eventAt: event?.at ?? null, onAddress: props.onAddress })
  const { anchor, current, picking } = comparison

  const asked = { installedProductId, ...pairOf(address), ahead: address.ahead, anchor }
  const compared = useComparedLogs({ ...asked, search: '' })
  const words = address.search.trim()
  const matches = useComparedLogs({ ...asked, search: words === '' ? null : words })
  const { lines, rows, isEventRead } = useComparedLines(compared.pair, matches.pair, {
    eventAt: event?.at ?? null,
    isInterleaved: isPhone,
  })
  const tellShown = useEffectEvent(() => comparison.show({ pair: compared.pair, rows }))
  useLayoutEffect(() => tellShown(), [compared.pair, rows])

  const seeking = useMatchSeek({
    matches,
    place: () => {
      const at = current === null ? undefined : lineOf(current)?.at
      const inSight = comparison.sightNow()
      const isSeen = at !== undefined && inSight !== null && at >= inSight.from && at <= inSight.to
      return isSeen && current !== null ? { at, line: current } : { at: comparison.middle() }
    },
    sight: comparison.sightNow,
    onFound: comparison.goToMatch,
    onNone: (direction) => comparison.say(direction === 'newer' ? 'No later match' : 'No earlier match'),
  })

  function lineOf({ side, id }: NonNullable<typeof current>) {
    return lines.find((line) => line.side === side && line.hit._id === id)
  }

  const onEvent = event === null ? null : () => comparison.goTo({ at: event.at })
  useShortcuts({
    '/': () => searchBox.current?.focus(),
    ...(words !== '' && { n: () => seeking.seek('newer'), N: () => seeking.seek('older') }),
    ...(onEvent !== null && { e: onEvent }),
    ...(picking !== null && { Escape: comparison.stopPicking }),
  })

  const isPicking = picking !== null
  const { pick } = comparison
  const drawing = useMemo(() => {
    const of = (side: Side): LineDrawing | null => {
      const log = address[side]
      const isCorrected = side === correctedSide(address.first)
      return log === null
        ? null
        : {
            log,
            side,
            siteZone,
            ahead: isCorrected ? address.ahead : 0,
            onPick: isPicking ? pick : null,
            isTagged: isPhone,
          }
    }
    return { first: of('first'), second: of('second') }
  }, [address, siteZone, isPicking, pick, isPhone])

  if (available.error instanceof ApiError && available.error.status === 404)
    return (
      <ErrorState title="Instrument could not be found.">
        It may have been removed, or it belongs to a customer that you can’t see. Check its id in the address.
      </ErrorState>
    )

  const headSide = (side: Side): HeadSide => {
    const reading = compared.readings[side]
    const found = matches.readings[side]
    return {
      log: address[side],
      ahead: drawing[side]?.ahead ?? 0,
      matches: found.status === 'ready' ? matchCount(found.total) : null,
      onRetry: reading.status === 'failed' ? reading.retry : found.status === 'failed' ? found.retry : null,
      isEmpty: reading.stream?.lines.length === 0,
    }
  }
  const clockOf = correctedLog(address)
  const statuses = sides.map((side) => compared.readings[side].status)
  const isLoading = statuses.includes('loading')
  return (
    <>
      {address.problems.length > 0 && (
        <Notice tone="warning">
          {address.problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Notice>
      )}
      {available.isError && (
        <RetryLine onRetry={() => void available.refetch()}>Could not get the list of logs</RetryLine>
      )}
      <CompareTools
        search={address.search}
        searchBox={searchBox}
        onSearch={comparison.search}
        onSeek={words === '' ? null : seeking.seek}
        isSeeking={seeking.isSeeking}
        middle={comparison.middle}
        onMoment={(at) => comparison.goTo({ at })}
        onEvent={onEvent}
        clock={
          clockOf && {
            name: clockOf.computerName ?? logLabel(clockOf),
            ahead: address.ahead,
            canAlign: compared.pair.first !== null && compared.pair.second !== null,
            onChange: comparison.changeClock,
            onAlign: comparison.startPicking,
          }
        }
      />
      <CompareTable
        rows={rows}
        drawing={drawing}
        event={event}
        siteZone={siteZone}
        isInterleaved={isPhone}
        overview={
          isLoading || lines.length > 0 ? { lines, eventAt: isEventRead && event !== null ? event.at : null } : null
        }
        destination={comparison.destination}
        current={current}
        picked={picking?.picked ? { side: picking.picked.side, id: picking.picked.hit._id } : null}
        request={
          picking !== null && (
            <ComparePicking picked={picking.picked} logs={pairOf(address)} onCancel={comparison.stopPicking} />
          )
        }
        head={
          <CompareHead
            sides={{ first: headSide('first'), second: headSide('second') }}
            logs={available.data?.values ?? []}
            onChoose={comparison.chooseLog}
            onSwap={comparison.swap}
          />
        }
        ends={{
          older: <CompareEnd compared={compared} direction="older" />,
          newer: <CompareEnd compared={compared} direction="newer" />,
        }}
        instead={isLoading ? <CompareSkeleton /> : insteadOfLines(statuses, { hasLines: lines.length > 0, retry })}
        onNearEnd={(direction) => readOn(compared, direction)}
        onSight={(next) => {
          comparison.see(next)
          seeking.followSight(next)
        }}
        onSettled={comparison.settleAt}
        onMoment={(at) => comparison.goTo({ at })}
      />
      <p role="status" className={styles.said}>
        {comparison.said}
      </p>
    </>
  )

  function retry() {
    for (const side of sides) compared.readings[side].retry()
  }
}

function pairOf({ first, second }: CompareAddress) {
  return { first, second }
}

/** Where not a single line can be shown: why, and what to do. */
function insteadOfLines(statuses: readonly string[], { hasLines, retry }: { hasLines: boolean; retry: () => void }) {
  if (hasLines) return null
  if (statuses.includes('ready'))
    return <EmptyState title="No logs found - Try a different timespan, text-search or log-type" />
  if (statuses.includes('failed')) return <ErrorState title="Could not get logs" onRetry={retry} />
  return <EmptyState title="Choose two logs">Their lines are shown side by side, in the order of one time.</EmptyState>
}
