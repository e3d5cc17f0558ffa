import { registryKinds } from '@benchwatch/contract/vocabulary'
import { Button, Group, NativeSelect, Paper, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { counted } from '../../lib/folded.ts'
import { FileDrop } from '../../ui/form/file-drop.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { showSuccess } from '../../ui/overlay/toasts.ts'
import { saveFile } from '../../ui/save-file.ts'
import { Notice } from '../../ui/text/notice.tsx'
import { ProgressBar } from '../../ui/text/skeleton.tsx'
import { type ImportFile, type RegistryKind, useImport } from './registry.api.ts'
import { registryFields } from './registry-fields.ts'
import { kindLabels } from './registry-labels.ts'

/** Checks files before and after they are sent to the import. */

/** The server's limit (contract, MAX_IMPORT_BYTES); a test compares the two. */
export const MAX_IMPORT_BYTES = 8_000_000

interface ImportResult {
  created: number
  updated: number
  errors: { line: number; path: string; message: string }[]
}

/** Errors that are listed at most. */
const SHOWN_ERRORS = 50

interface Chosen {
  name: string
  file: ImportFile
}

/**
 * Imports many objects of a kind from a file. The file is checked first; nothing is written before the user confirms.
 */
export function RegistryImport(props: { kind: RegistryKind; onKind: (kind: RegistryKind) => void }) {
  const { kind } = props
  const labels = kindLabels[kind]
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const check = useImport()
  const write = useImport()
  const report: ImportResult | undefined = check.data

  function startOver() {
    setChosen(null)
    setRefused(null)
    check.reset()
    write.reset()
  }

  async function handleFile(dropped: File) {
    startOver()
    if (dropped.size > MAX_IMPORT_BYTES) {
      setRefused(
        `${dropped.name} is ${megabytes(dropped.size)}; the limit is ${megabytes(MAX_IMPORT_BYTES)}. Split the file.`,
      )
      return
    }
    const content = decodeImport(await dropped.arrayBuffer())
    if (content === null) {
      setRefused(`${dropped.name} is not UTF-8. Save it as “CSV UTF-8” and choose it again.`)
      return
    }
    const named = kindOfFile(dropped.name)
    const file = { kind: named ?? kind, mediaType: importMediaType(dropped.name), content }
    if (named !== null && named !== kind) props.onKind(named)
    setChosen({ name: dropped.name, file })
    check.mutate({ file, dryRun: true })
  }

  async function handleImport() {
    if (chosen === null) return
    const done = await write.mutateAsync({ file: chosen.file, dryRun: false }).catch(() => null)
    if (done === null || done.errors.length > 0) return
    showSuccess({ title: `${chosen.name} imported`, message: `${done.created} created, ${done.updated} updated.` })
  }

  return (
    <Card>
      <Stack gap={16}>
        <Group align="flex-end" gap="10px 18px">
          <NativeSelect
            label="Content of the file"
            flex="0 1 420px"
            description={labels.explains}
            inputWrapperOrder={['label', 'description', 'input', 'error']}
            value={kind}
            disabled={check.isPending || write.isPending}
            data={registryKinds.map((value) => ({ value, label: kindLabels[value].many }))}
            onChange={({ currentTarget }) => {
              startOver()
              props.onKind(currentTarget.value as RegistryKind)
            }}
          />
          <Button
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.7} aria-hidden="true" />}
            onClick={() => saveFile(`${kind}.csv`, 'text/csv', importTemplate(kind))}
          >
            Template for {labels.many.toLowerCase()}
          </Button>
        </Group>
        {chosen === null ? (
          <FileDrop
            label={`Drop a file of ${labels.many.toLowerCase()} or choose one`}
            hint={`CSV or NDJSON, up to ${megabytes(MAX_IMPORT_BYTES)}. The file is checked first; nothing is written yet.`}
            accept=".csv,.txt,.ndjson,.jsonl"
            onFile={(file) => void handleFile(file)}
          />
        ) : (
          <Paper withBorder radius={8} p="9px 14px">
            <Group gap="4px 14px" style={{ overflowWrap: 'anywhere' }}>
              <strong>{chosen.name}</strong>
              <Text c="dimmed">{megabytes(new Blob([chosen.file.content]).size)}</Text>
              <Button variant="subtle" size="compact-sm" disabled={write.isPending} onClick={startOver}>
                Choose another file
              </Button>
            </Group>
          </Paper>
        )}
        {refused !== null && <Notice tone="danger">{refused}</Notice>}
        {(check.isPending || write.isPending) && (
          <Working>{check.isPending ? 'Checking every line…' : 'Writing…'}</Working>
        )}
        {[check.error, write.error].map(
          (error) =>
            error !== null && (
              <Notice key={error.message} tone="danger">
                {error.message} Nothing was written.
              </Notice>
            ),
        )}
        {report !== undefined && chosen !== null && (
          <ImportReport
            report={write.data ?? report}
            content={chosen.file.content}
            isDone={write.isSuccess && write.data.errors.length === 0}
          />
        )}
        {report !== undefined && report.errors.length === 0 && !write.isSuccess && (
          <Group justify="flex-end">
            <Button
              disabled={report.created + report.updated === 0}
              loading={write.isPending}
              onClick={() => void handleImport()}
            >
              Import {(report.created + report.updated).toLocaleString('en')} {labels.many.toLowerCase()}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  )
}

function Working({ children }: { children: string }) {
  return (
    <Stack gap={7} c="dimmed" role="status">
      <span>{children}</span>
      <ProgressBar label={children} value={null} max={1} />
    </Stack>
  )
}

function megabytes(bytes: number): string {
  return bytes < 100_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** The result of a check or an import: counts, and each error with its line. */
function ImportReport(props: { report: ImportResult; content: string; isDone: boolean }) {
  const { report, content, isDone } = props
  if (report.errors.length > 0) return <Errors errors={report.errors} content={content} />
  const counts = [
    [report.created, isDone ? 'created' : 'will be created'],
    [report.updated, isDone ? 'updated' : 'will be updated'],
  ] as const
  return (
    <Stack gap={8} role="status">
      <Text fw={620}>{isDone ? 'Imported' : 'The file is valid'}</Text>
      <Group component="ul" gap="4px 28px" m={0} p={0} style={{ listStyle: 'none' }}>
        {counts.map(([count, label]) => (
          <li key={label}>
            <Text span fz="xl" fw={700}>
              {count.toLocaleString('en')}
            </Text>{' '}
            {label}
          </li>
        ))}
      </Group>
      {!isDone && report.created + report.updated === 0 && <p>The file contains no changes.</p>}
    </Stack>
  )
}

function Errors({ errors, content }: { errors: ImportResult['errors']; content: string }) {
  const more = errors.length - SHOWN_ERRORS
  return (
    <Stack component="section" gap={8} aria-label="Errors in the file">
      <div role="alert">
        <Text fw={620} c="var(--bw-danger)">
          {errors.length === 1 ? 'One error' : counted(errors.length, 'error')}: nothing was written
        </Text>
        <p>Correct the file and choose it again.</p>
      </div>
      <Paper component="ol" withBorder radius={8} m={0} p="0 14px" style={{ listStyle: 'none' }}>
        {errors.slice(0, SHOWN_ERRORS).map(({ line, path, message }, index) => (
          <Group
            component="li"
            key={`${line} ${path} ${message}`}
            align="flex-start"
            wrap="nowrap"
            gap={12}
            py={9}
            style={{ overflowWrap: 'anywhere', borderTop: index > 0 ? '1px solid var(--bw-line-faint)' : undefined }}
          >
            <Text c="dimmed" w={84} flex="none">
              Line {line}
            </Text>
            <Text component="div" miw={0}>
              {path !== '' && <strong>{path}: </strong>}
              {message}
              <Text component="code" display="block" size="xs" c="dimmed" mt={2} truncate="end">
                {lineOf(content, line)}
              </Text>
            </Text>
          </Group>
        ))}
      </Paper>
      {more > 0 && <p>and {more.toLocaleString('en')} more</p>}
    </Stack>
  )
}

/** Returns the media type by file name: NDJSON has one object per line; everything else is read as CSV. */
export function importMediaType(fileName: string): ImportFile['mediaType'] {
  return /\.(?:ndjson|jsonl)$/i.test(fileName) ? 'application/x-ndjson' : 'text/csv'
}

/** Returns the kind named by a file name such as `sites-2026.csv`; null if it names none. */
export function kindOfFile(fileName: string): RegistryKind | null {
  const kinds = Object.keys(registryFields) as RegistryKind[]
  return kinds.find((kind) => fileName.toLowerCase().startsWith(kind)) ?? null
}

/**
 * Returns the text of a file; null if it is not UTF-8, as from older spreadsheets, because its encoding would be a
 * guess.
 */
export function decodeImport(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Returns a line of the file, counted from 1 as the server counts; empty beyond the end. */
export function lineOf(content: string, line: number): string {
  let start = 0
  for (let passed = 1; passed < line; passed += 1) {
    const end = content.indexOf('\n', start)
    if (end < 0) return ''
    start = end + 1
  }
  const end = content.indexOf('\n', start)
  return content.slice(start, end < 0 ? undefined : end).replace(/\r$/, '')
}

/** Returns a CSV with all columns of a kind and one example row; RFC 4180, with a byte order mark for spreadsheets. */
export function importTemplate(kind: RegistryKind): string {
  const { fields, keyExample } = registryFields[kind]
  const head = ['key', ...fields.map(({ name }) => name)]
  const example = [keyExample, ...fields.map((field) => field.example)]
  return `\uFEFF${[head, example].map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
