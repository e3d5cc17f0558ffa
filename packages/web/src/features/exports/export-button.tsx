import {
  type ExportDetails,
  type ExportType,
  eventColumnLabels,
  instrumentColumnLabels,
} from '@benchwatch/contract/vocabulary'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { counted } from '../../lib/folded.ts'
import { Dropdown } from '../../ui/overlay/dropdown.tsx'
import { Notice } from '../../ui/text/notice.tsx'
import { ProgressBar } from '../../ui/text/skeleton.tsx'
import styles from './export-button.module.css'
import type { ExportRequest } from './exports.api.ts'
import { type ExportRun, percentOf, runExport, useExportRun } from './run-export.ts'

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
