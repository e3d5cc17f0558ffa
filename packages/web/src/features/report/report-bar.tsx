import { Box, Button, Group } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import { formatInstrumentDate } from '../../lib/time/dates.ts'
import { Breadcrumb, PillLinks } from '../../ui/layout/page-frame.tsx'
import { showFailure } from '../../ui/overlay/toasts.ts'
import { saveFile } from '../../ui/save-file.ts'
import styles from './report-bar.module.css'
import { type Report, type ReportSource, type ReportType, reportTypeLabels } from './report-model.ts'

/**
 * Maximum length of the description in a file name; with id and date the name stays below the limits of file systems
 * and e-mail.
 */
const DESCRIPTION = 80

interface Made {
  source: ReportSource
  report: Report
}

/** The bar above the sheet: breadcrumbs, the other report type, download and print. */
export function ReportBar(props: { instrumentId: string; reportType: ReportType; made: Made | undefined }) {
  const { instrumentId, reportType, made } = props
  return (
    <Group justify="space-between" gap="8px 20px" w="100%" maw={794} className={styles.bar}>
      <Box c="dimmed" fz="sm" flex="1 1 240px" miw={0}>
        <Breadcrumb
          link={
            made === undefined ? (
              <Link to="/instruments" search={{}}>
                Instruments
              </Link>
            ) : (
              <Link to="/instruments/$instrumentId" params={{ instrumentId }} search={{}}>
                {made.source.instrument.instrumentProductDescription}
              </Link>
            )
          }
          current="System Report"
        />
      </Box>
      <PillLinks label="Report type">
        {(['fe', 'qs'] as const).map((type) => (
          <Link
            key={type}
            to="/report/$instrumentId"
            params={{ instrumentId }}
            search={{ reportType: type }}
            aria-current={type === reportType ? 'page' : undefined}
          >
            {reportTypeLabels[type]}
          </Link>
        ))}
      </PillLinks>
      <Actions made={made} />
    </Group>
  )
}

function Actions({ made }: { made: Made | undefined }) {
  const [isWriting, setIsWriting] = useState(false)
  const name = made && nameOf(made.source)
  usePrintedName(name)

  async function download({ report, source }: Made) {
    setIsWriting(true)
    try {
      const { writeReportPdf } = await import('./report-pdf.ts')
      saveFile(
        nameOf(source),
        'application/pdf',
        await writeReportPdf({ report, country: source.instrument.instrumentCountry }),
      )
    } catch (error) {
      showFailure({ title: 'Could not create the PDF', message: reasonOf(error) })
    } finally {
      setIsWriting(false)
    }
  }

  return (
    <Group gap={8} className={styles.actions}>
      <Button
        variant="default"
        leftSection={<IconPrinter size={16} stroke={1.7} />}
        disabled={made === undefined}
        onClick={() => window.print()}
      >
        Print
      </Button>
      <Button
        leftSection={<IconDownload size={16} stroke={1.7} />}
        disabled={made === undefined}
        loading={isWriting}
        onClick={() => made && void download(made)}
      >
        Download PDF
      </Button>
    </Group>
  )
}

function nameOf({ instrument, madeAt }: ReportSource): string {
  return reportFileName({
    description: instrument.instrumentProductDescription,
    installedProductId: instrument.instrumentInstalledProductId,
    madeAt,
  })
}

/** Sets the window title, which browsers propose as the file name when printing to a file. */
function usePrintedName(name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return
    let title = document.title
    const begin = () => {
      title = document.title
      document.title = name.replace(/\.pdf$/, '')
    }
    const end = () => {
      document.title = title
    }
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [name])
}

/**
 * Returns the file name of a report's PDF from product description, installed product id and date:
 * ÄKTA-pure-25_10042371_22-Nov-2026.pdf. Letters and digits of every script stay; characters with a meaning in file
 * systems or shells become hyphens.
 */
export function reportFileName(of: { description: string; installedProductId: string; madeAt: number }): string {
  const parts = [of.description.slice(0, DESCRIPTION), of.installedProductId, formatInstrumentDate(of.madeAt)]
  return `${parts.map(safe).filter(Boolean).join('_')}.pdf`
}

function safe(part: string): string {
  return part
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}\p{M}.]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
}
