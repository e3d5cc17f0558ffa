import { Box, Button, Group, Paper, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, useEffect, useMemo, useState } from 'react'
import { reasonOf } from '../../lib/folded.ts'
import { call, isNotFound } from '../../lib/http.ts'
import { instrumentTypesQuery } from '../../lib/instrument-type.ts'
import { productQuery, versionQuery } from '../../lib/page-settings.ts'
import { formatInstrumentDate } from '../../lib/time/dates.ts'
import { Breadcrumb, PillLinks } from '../../ui/layout/page-frame.tsx'
import { showFailure, useFailureToast } from '../../ui/overlay/toasts.ts'
import { saveFile } from '../../ui/save-file.ts'
import { ErrorState, FailedQuery } from '../../ui/text/notice.tsx'
import { SkeletonLine } from '../../ui/text/skeleton.tsx'
import { instrumentQuery } from '../instruments/instruments.api.ts'
import { componentUsageQuery, dailyRuntimesQuery } from '../usage/usage.api.ts'
import { featuresQuery, meQuery } from '../users/users.api.ts'
import { buildReport } from './build-report.ts'
import { paper } from './pdf-styles.ts'
import { ReportBlocks } from './report-blocks.tsx'
import { type Report, type ReportSource, type ReportType, reportTypeLabels } from './report-model.ts'
import { REPORT_DAYS } from './report-runtime.ts'
import styles from './system-report.module.css'

const type = 'font: 8pt "Inter Variable", Inter, sans-serif; color: #566271;'

const colours = Object.fromEntries(
  Object.entries(paper).map(([name, colour]) => [`--paper-${name}`, colour]),
) as CSSProperties

const FAILURE = 'Could not get instrument report data'

/** The System Report of an instrument; fe: for field engineers, qs: for qualification services. */
export function SystemReport({ instrumentId, reportType }: { instrumentId: string; reportType: ReportType }) {
  const query = useQuery(reportQuery({ instrumentId, reportType }))
  const { error } = query
  const isMissing = isNotFound(error)
  // The user may no longer see an instrument whose report is open.
  const source = isMissing ? undefined : query.data
  const report = useMemo(() => source && buildReport(source), [source])
  useFailureToast({ ...query, isError: query.isError && !isMissing }, FAILURE)

  return (
    <Stack align="center" gap={16} className={styles.page}>
      <ReportBar instrumentId={instrumentId} reportType={reportType} made={source && report && { source, report }} />
      {report !== undefined ? (
        <ReportSheet report={report} />
      ) : error === null ? (
        <SheetSkeleton />
      ) : isMissing ? (
        <ErrorState title="Instrument could not be found.">
          It may belong to a customer that you can’t see. Check the address.
        </ErrorState>
      ) : (
        <FailedQuery title={FAILURE} query={query} />
      )}
    </Stack>
  )
}

const lines = ['34%', '58%', '0', '22%', '92%', '88%', '90%', '0', '26%', '94%', '86%', '90%', '91%', '0', '30%', '92%']

function SheetSkeleton() {
  return (
    <Paper withBorder radius={3} w="100%" maw={794} mih={900} p={{ base: 22, md: 57 }}>
      <VisuallyHidden role="status">Loading report…</VisuallyHidden>
      <Stack gap={18}>
        {lines.map((width, place) => (
          <SkeletonLine key={place} width={width} />
        ))}
      </Stack>
    </Paper>
  )
}

/**
 * All data of a report, read at one moment. Print, file and screen must show the same, so the data change only when
 * the report is opened again. ApiError 404 for an instrument that does not exist or is out of scope.
 */
export function reportQuery({ instrumentId, reportType }: { instrumentId: string; reportType: ReportType }) {
  return queryOptions({
    queryKey: ['report', instrumentId, reportType] as const,
    queryFn: async ({ client }): Promise<ReportSource> => {
      const [instrument, types, on, me, product, health] = await Promise.all([
        client.fetchQuery(instrumentQuery(instrumentId)),
        client.fetchQuery(instrumentTypesQuery()),
        client.fetchQuery(featuresQuery()),
        client.fetchQuery(meQuery()),
        client.fetchQuery(productQuery()),
        client.fetchQuery(versionQuery()),
      ])
      const [events, runtimes, components] = await Promise.all([
        reportType === 'fe' ? client.fetchQuery(reportEventsQuery(instrument.instrumentInstalledProductId)) : null,
        on.includes('FETCH_INSTRUMENT_DAILY_RUNTIMES')
          ? client.fetchQuery(dailyRuntimesQuery(instrument.id, REPORT_DAYS))
          : null,
        on.includes('ASSET_USAGE') && on.includes('FETCH_INSTRUMENT_COMPONENTS')
          ? client.fetchQuery(componentUsageQuery(instrument))
          : null,
      ])
      return {
        reportType,
        instrument,
        types,
        events: events && { frequent: events[0], recent: events[1].values.map(({ alarm }) => alarm) },
        runtimes,
        components,
        author: { name: me.name, email: me.email },
        product: { name: product.product, version: health.version },
        madeAt: Date.now(),
      }
    },
    // Each part retries on its own: retrying them together would delay an error by 12 s.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** The most frequent events of 6 months and the newest, in one query. */
function reportEventsQuery(instrumentInstalledProductId: string) {
  const query = { instrumentInstalledProductId }
  return queryOptions({
    queryKey: ['report-events', instrumentInstalledProductId] as const,
    queryFn: ({ signal }) =>
      Promise.all([call('listFrequentEvents', { query, signal }), call('listRecentEvents', { query, signal })]),
  })
}

/** The report as a sheet of paper, readable at any screen width and printed on A4. */
function ReportSheet({ report: { head, sections, foot } }: { report: Report }) {
  return (
    <article className={styles.sheet} style={colours} data-sheet>
      <PageBoxes head={head} />
      <Group component="header" justify="space-between" align="flex-end" gap="8px 32px" pb={14} className={styles.head}>
        <div>
          <h1>{head.title}</h1>
          <Text inherit fz={13} c="var(--paper-quiet)">
            {head.subtitle}
          </Text>
        </div>
        <div className={styles.about}>
          <p>{head.date}</p>
          <Text inherit fw={620}>
            <bdi>{head.instrument}</bdi>
          </Text>
        </div>
      </Group>
      {sections.map(({ name, title, blocks }) => (
        <section key={name} className={styles.section} data-section={name} aria-labelledby={`report-${name}`}>
          <h2 id={`report-${name}`}>{title}</h2>
          <ReportBlocks blocks={blocks} />
        </section>
      ))}
      <footer className={styles.foot}>
        <p>{foot.madeBy}</p>
        <p>{foot.confidentiality}</p>
      </footer>
    </article>
  )
}

/**
 * The header and footer of every printed page: the report's name and date at the top, instrument and page number at
 * the bottom. CSS margin boxes take no space from the content and are laid out by the browser; a browser without them
 * prints its own.
 */
function PageBoxes({ head }: { head: Report['head'] }) {
  return (
    <style>
      {`@media print {
  @page {
    size: A4;
    margin: 19mm 15mm 17mm;
    @top-left { content: ${quoted(`${head.title} · ${head.subtitle}`)}; ${type} }
    @top-right { content: ${quoted(head.date)}; ${type} }
    @bottom-left { content: ${quoted(head.instrument)}; ${type} }
    @bottom-right { content: counter(page) " of " counter(pages); ${type} }
  }
  @page :first { margin-top: 13mm; }
}`}
    </style>
  )
}

/** Returns a text as a CSS string. Names come from registries: quotes, backslashes and line ends must not end it. */
export function quoted(text: string): string {
  return `"${text.replace(/["\\\p{Cc}]/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `)}"`
}

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
function ReportBar(props: { instrumentId: string; reportType: ReportType; made: Made | undefined }) {
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
