import {
  type ExportDetails,
  type ExportType,
  eventColumnLabels,
  instrumentColumnLabels,
} from '@benchwatch/contract/vocabulary'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { counted, reasonOf } from '../../lib/folded.ts'
import { ApiError, mayPass } from '../../lib/http.ts'
import { createStore, useStore } from '../../lib/store.ts'
import { Dropdown } from '../../ui/overlay/dropdown.tsx'
import { showFailure, showSuccess } from '../../ui/overlay/toasts.ts'
import { Notice } from '../../ui/text/notice.tsx'
import { ProgressBar } from '../../ui/text/skeleton.tsx'
import styles from './export-button.module.css'
import { createExport, type ExportRequest, readExport } from './exports.api.ts'

/**
 * Exports a list, or the selection in it, as a CSV file. `count` is the number of rows. While a file is being written,
 * the button shows its progress.
 */
export function ExportButton({
  request,
  count,
  isSelection = false,
  isIconOnPhone = false,
}: {
  request: ExportRequest
  count: number
  isSelection?: boolean
  isIconOnPhone?: boolean
}) {
  const run = useExportRun()
  const label = isSelection ? `Export ${count.toLocaleString('en')} selected` : 'Export'
  return (
    <Dropdown
      title={label}
      icon={<IconDownload size={15} stroke={1.7} aria-hidden="true" />}
      align="end"
      width={320}
      className={run.kind === 'running' ? styles.running : undefined}
      isIconOnPhone={isIconOnPhone && run.kind !== 'running'}
      panel={(close) => <ExportPanel request={request} count={count} onClose={close} />}
    >
      {run.kind === 'running' ? (
        <>
          <span className={styles.word}>Exporting </span>
          {percentOf(run)}%
        </>
      ) : (
        label
      )}
    </Dropdown>
  )
}

const choices: readonly { details: ExportDetails; title: string; hints: Record<ExportType, string> }[] = [
  {
    details: 'BASIC',
    title: 'Columns as on screen',
    hints: {
      event: `All ${Object.keys(eventColumnLabels).length} columns of the list, also hidden ones.`,
      instrument: `All ${Object.keys(instrumentColumnLabels).length} columns of the list, also hidden ones.`,
    },
  },
  {
    details: 'FULL',
    title: 'Every field',
    hints: {
      event: 'All data of an event, including advice and contacts.',
      instrument: 'All data of an instrument, including contract, contacts and software.',
    },
  },
]

/** Lets the user choose the content of the file; then shows progress, or why there is no file. */
function ExportPanel(props: { request: ExportRequest; count: number; onClose: () => void }) {
  const run = useExportRun()
  const before = useRef(run.kind)
  const close = useEffectEvent(props.onClose)
  useEffect(() => {
    if (before.current === 'running' && run.kind === 'none') close()
    before.current = run.kind
  }, [run.kind])
  if (run.kind === 'running') return <Progress run={run} onClose={props.onClose} />
  return <Choice {...props} run={run} />
}

function Choice({ request, count, run }: { request: ExportRequest; count: number; run: ExportRun }) {
  const { type } = request.body
  return (
    <Stack gap={10} p={4}>
      <Title order={2} fz={15}>
        {count === 0 ? 'Nothing to export' : `Export ${counted(count, type)}`}
      </Title>
      {run.kind === 'failed' && (
        <Notice tone="danger">
          {run.reason}{' '}
          <Button variant="default" size="compact-sm" onClick={run.retry}>
            Try again
          </Button>
        </Notice>
      )}
      <Text size="xs" c="dimmed">
        {count === 0
          ? `No ${type}s match. Change the search, filters or range.`
          : 'A CSV file for spreadsheets, in the order of the list.'}
      </Text>
      {choices.map(({ details, title, hints }) => (
        <Button
          key={details}
          variant="default"
          h="auto"
          py={10}
          px={12}
          justify="start"
          disabled={count === 0}
          onClick={() => void runExport({ request, details, count })}
        >
          <Text span ta="start" className={styles.choice}>
            <strong>{title}</strong>
            <Text span size="xs" c="dimmed">
              {hints[type]}
            </Text>
          </Text>
        </Button>
      ))}
    </Stack>
  )
}

/** The pressed button is gone, and the focus with it. */
function focusFirst(button: HTMLButtonElement | null) {
  button?.focus()
}

function Progress({ run, onClose }: { run: ExportRun & { kind: 'running' }; onClose: () => void }) {
  const { type, written, rows } = run
  return (
    <Stack gap={10} p={4}>
      <Title order={2} fz={15}>
        Exporting {counted(rows, type)}
      </Title>
      <ProgressBar label="Export progress" value={written > 0 ? written : null} max={rows} />
      <Text size="xs" c="dimmed" role="status">
        {run.isOutOfReach
          ? 'The server can’t be reached. Trying again…'
          : written === 0
            ? `Sorting ${type}s…`
            : `${written.toLocaleString('en')} of ${rows.toLocaleString('en')}`}
      </Text>
      <Text size="xs" c="dimmed">
        The file downloads automatically. You can continue working.
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button
          variant="default"
          onClick={() => {
            run.stop()
            onClose()
          }}
        >
          Cancel
        </Button>
        <Button ref={focusFirst} onClick={onClose}>
          Continue working
        </Button>
      </Group>
    </Stack>
  )
}

/**
 * The running export. It belongs to no screen: users who leave the list still get the file. Only one at a time,
 * because two files could not be distinguished.
 */
export type ExportRun =
  | { kind: 'none' }
  /** `rows` is the server's count; before that, the list's. */
  | { kind: 'running'; type: ExportType; written: number; rows: number; isOutOfReach: boolean; stop: () => void }
  | { kind: 'failed'; reason: string; retry: () => void }

const current = createStore<ExportRun>({ kind: 'none' })

interface ExportInput {
  request: ExportRequest
  details: ExportDetails
  /** The list's count, until the server answers. */
  count: number
}

/** A small file is ready at the first poll; a large one is polled about every second, later less often. */
const FIRST_POLL_MS = 300
const SLOWEST_POLL_MS = 3000
/** Polling continues for this time while the server cannot be reached. */
const UNREACHABLE_TIMEOUT_MS = 60_000

/** Starts an export, follows it and hands the file to the browser. Toasts report the result. */
export async function runExport(input: ExportInput): Promise<void> {
  const stopping = new AbortController()
  const { type } = input.request.body
  tell({ type, written: 0, rows: input.count }, stopping)
  let begun: Begun
  try {
    begun = await createExport(input.request, input.details)
  } catch (error) {
    if (!stopping.signal.aborted) fail(error, { type, again: () => void runExport(input) })
    return
  }
  await follow(begun, { type, stopping, again: () => void runExport(input) })
}

interface Begun {
  exportId: string
  rows: number
}

/** Waits for the server to write a file. If the server cannot be reached, a retry asks for the same file. */
async function follow(
  begun: Begun,
  { type, stopping, again }: { type: ExportType; stopping: AbortController; again: () => void },
): Promise<void> {
  const { signal } = stopping
  const { exportId, rows } = begun
  let written = 0
  let wait = FIRST_POLL_MS
  let lostAt: number | null = null
  while (!signal.aborted) {
    tell({ type, written, rows, isOutOfReach: lostAt !== null }, stopping)
    await pause(wait, signal)
    if (signal.aborted) return
    wait = wait === FIRST_POLL_MS ? 1000 : Math.min(wait * 1.2, SLOWEST_POLL_MS)
    try {
      const progress = await readExport(exportId, signal)
      lostAt = null
      written = progress.written
      if (progress.state === 'running') continue
      if (progress.state === 'failed') {
        fail(new Error('The server could not write the file. Some rows may have been deleted in the meantime.'), {
          type,
          again,
        })
      } else {
        save(progress.url)
        setExportRun({ kind: 'none' })
        showSuccess({ title: `Exported ${counted(rows, type)}`, message: 'The file is in your downloads.' })
      }
      return
    } catch (error) {
      if (signal.aborted) return
      lostAt ??= Date.now()
      if (mayPass(error) && Date.now() - lostAt < UNREACHABLE_TIMEOUT_MS) continue
      fail(error, { type, again: mayPass(error) ? () => void follow(begun, { type, stopping, again }) : again })
      return
    }
  }
}

function tell(
  running: { type: ExportType; written: number; rows: number; isOutOfReach?: boolean },
  stopping: AbortController,
): void {
  const stop = () => {
    stopping.abort()
    setExportRun({ kind: 'none' })
  }
  setExportRun({ kind: 'running', isOutOfReach: false, ...running, stop })
}

/** The session itself reports its end. */
function fail(error: unknown, { type, again }: { type: ExportType; again: () => void }): void {
  if (error instanceof ApiError && error.status === 401) return setExportRun({ kind: 'none' })
  const reason = reasonOf(error)
  setExportRun({ kind: 'failed', reason, retry: again })
  showFailure({ title: `Failed to export ${type}(s)`, message: reason })
}

/** The link grants access, so the browser downloads the file itself and the page need not hold it in memory. */
function save(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}

export function setExportRun(run: ExportRun): void {
  current.set(run)
}

export function useExportRun(): ExportRun {
  return useStore(current)
}

/** Percent of all rows; 0 while nothing is known. */
function percentOf({ written, rows }: { written: number; rows: number }): number {
  return rows === 0 ? 0 : Math.floor((100 * written) / rows)
}
