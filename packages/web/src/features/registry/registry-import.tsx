import { registryKinds } from '@benchwatch/contract/vocabulary'
import { Button, NativeSelect } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { Card } from '../../ui/card.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Notice } from '../../ui/notice.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { showSuccess } from '../../ui/toasts.ts'
import { decodeImport, importMediaType, importTemplate, kindOfFile, MAX_IMPORT_BYTES } from './import-file.ts'
import { ImportReport, type ImportResult } from './import-report.tsx'
import { type ImportFile, type RegistryKind, useImport } from './registry.api.ts'
import styles from './registry-import.module.css'
import { kindWords } from './registry-words.ts'

interface Chosen {
  name: string
  file: ImportFile
}

/** Many objects of a kind from a file. It is checked first, and nothing is written before the person says so. */
export function RegistryImport(props: { kind: RegistryKind; onKind: (kind: RegistryKind) => void }) {
  const { kind } = props
  const words = kindWords[kind]
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
        `${dropped.name} has ${megabytes(dropped.size)}; at most ${megabytes(MAX_IMPORT_BYTES)} go at once. Split it.`,
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
      <div className={styles.steps}>
        <div className={styles.choice}>
          <NativeSelect
            label="What the file holds"
            description={words.explains}
            value={kind}
            disabled={check.isPending || write.isPending}
            data={registryKinds.map((value) => ({ value, label: kindWords[value].many }))}
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
            Template for {words.many.toLowerCase()}
          </Button>
        </div>
        {chosen === null ? (
          <FileDrop
            label={`Drop a file of ${words.many.toLowerCase()}, or choose one`}
            hint={`CSV or NDJSON, up to ${megabytes(MAX_IMPORT_BYTES)}. It is checked first; nothing is written yet.`}
            accept=".csv,.txt,.ndjson,.jsonl"
            onFile={(file) => void handleFile(file)}
          />
        ) : (
          <p className={styles.file}>
            <strong>{chosen.name}</strong>
            <span>{megabytes(new Blob([chosen.file.content]).size)}</span>
            <Button variant="subtle" size="compact-sm" disabled={write.isPending} onClick={startOver}>
              Choose another file
            </Button>
          </p>
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
          <div className={styles.end}>
            <Button
              disabled={report.created + report.updated === 0}
              loading={write.isPending}
              onClick={() => void handleImport()}
            >
              Import {(report.created + report.updated).toLocaleString('en')} {words.many.toLowerCase()}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}

function Working({ children }: { children: string }) {
  return (
    <div className={styles.working} role="status">
      <span>{children}</span>
      <span className={styles.track} aria-hidden="true" />
    </div>
  )
}

function megabytes(bytes: number): string {
  return bytes < 100_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
