import { IconDownload } from '@tabler/icons-react'
import { lazy } from 'react'
import { Dropdown } from '../../ui/overlay/dropdown.tsx'
import styles from './export-button.module.css'
import type { ExportRequest } from './exports.api.ts'
import { percentOf, useExportRun } from './run-export.ts'

// Most visits export nothing.
const loadPanel = () => import('./export-panel.tsx')
const ExportPanel = lazy(() => loadPanel().then((file) => ({ default: file.ExportPanel })))

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
      preload={loadPanel}
      panel={(close) => <ExportPanel request={request} count={count} onClose={close} />}
    >
      {run.kind === 'running' ? (
        <>
          <span className={styles.word}>Exporting </span>
          {percentOf(run)} %
        </>
      ) : (
        label
      )}
    </Dropdown>
  )
}
