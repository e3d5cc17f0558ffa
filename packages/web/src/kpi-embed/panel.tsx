import type { KpiTable } from '@benchwatch/contract/kpi'
import { type KpiMeasure, kpiMeasureLabels } from '@benchwatch/contract/vocabulary'
import { Anchor, Box, Button, Center, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { IconChartBar, IconDownload, IconTable } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { utcDay } from '../features/kpi/kpi-question.ts'
import { ChartTable } from '../ui/charts/chart-table.tsx'
import { LazyPart } from '../ui/layout/lazy-part.tsx'
import { saveFile } from '../ui/save-file.ts'
import { RetryLine } from '../ui/text/notice.tsx'
import { SkeletonLine } from '../ui/text/skeleton.tsx'
import type { EventsBehind } from './events-behind.ts'
import styles from './kpi.module.css'
import type { PanelDefinition } from './panels.tsx'
import {
  type Cell,
  type Column,
  count,
  formatCell,
  type KpiTableInputs,
  kpiTableQuery,
  rowsOf,
  type TableRow,
} from './table-rows.ts'

/** Makes programs read the file as UTF-8 instead of guessing. */
const BYTE_ORDER_MARK = '\uFEFF'

const LINE_END = '\r\n'

/** Characters that a spreadsheet takes for the start of a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** Shows one measure as chart or table, with its CSV download and notes. */
export function Panel(props: {
  definition: PanelDefinition
  query: KpiTableInputs
  onEvents: (search: EventsBehind) => void
}) {
  const { definition, query, onEvents } = props
  const { measure, most, chart, behind } = definition
  const [isTable, setTable] = useState(false)
  const titleId = useId()
  const table = useQuery(kpiTableQuery(measure, query))
  const title = kpiMeasureLabels[measure]
  const rows = table.data === undefined ? [] : rowsOf(table.data)
  const drawn = most === undefined ? rows : rows.slice(0, most)

  /** Returns what shows the events behind a row; undefined if no list can show them. */
  function opener(row: TableRow): (() => void) | undefined {
    const events = behind?.(row, query)
    return events && (() => onEvents(events))
  }

  function handleExport() {
    if (table.data === undefined) return
    const days = definition.isNow ? utcDay(Date.now()) : `${query.from}_${query.to}`
    saveFile(`${measure}_${days}.csv`, 'text/csv;charset=utf-8', writeCsv(table.data))
  }

  return (
    <Paper
      component="section"
      className={styles.panel}
      display="flex"
      withBorder
      shadow="xs"
      miw={0}
      px={{ base: 14, sm: 18 }}
      py={14}
      style={{ flexDirection: 'column', gridColumn: definition.isWide ? '1 / -1' : undefined }}
      aria-labelledby={titleId}
    >
      <Group component="header" justify="space-between" align="start" wrap="nowrap" mih={28} mb={10}>
        <Title order={2} fz={14} lh="20px" pt={4} id={titleId}>
          {title}
        </Title>
        {rows.length > 0 && (
          <Group gap={2} wrap="nowrap" mt={{ base: -8, md: -3 }} mb={{ base: -8, md: -3 }} mr={-10}>
            <Button
              {...action}
              leftSection={isTable ? <IconChartBar {...icon} /> : <IconTable {...icon} />}
              aria-label={`${isTable ? 'Chart' : 'Table'}: ${title}`}
              onClick={() => setTable(!isTable)}
            >
              {isTable ? 'Chart' : 'Table'}
            </Button>
            <Button
              {...action}
              leftSection={<IconDownload {...icon} />}
              aria-label={`Export: ${title}`}
              disabled={table.isPlaceholderData}
              onClick={handleExport}
            >
              Export
            </Button>
          </Group>
        )}
      </Group>
      <Box
        className={styles.body}
        flex={1}
        mih={definition.isWide ? 294 : 180}
        data-stale={table.isPlaceholderData || undefined}
        aria-busy={table.isFetching}
      >
        {table.isError ? (
          <RetryLine onRetry={() => void table.refetch()}>{table.error.message}</RetryLine>
        ) : table.isPending ? (
          <Waiting measure={measure} />
        ) : rows.length === 0 ? (
          <Center mih="inherit">
            <Text c="dimmed">{definition.empty}</Text>
          </Center>
        ) : isTable ? (
          <ChartTable
            label={`Table: ${title}`}
            height={420}
            columns={table.data.columns.map(({ label, kind }) => ({ label, look: lookOf(kind) }))}
            rows={table.data.rows.map((cells) =>
              table.data.columns.map(({ key, kind }, index) => (
                <bdi key={key}>{formatCell(kind, cells[index] ?? null)}</bdi>
              )),
            )}
          />
        ) : (
          <LazyPart onFailure={() => setTable(true)} fallback={<Waiting measure={measure} />}>
            {chart(drawn, opener, { query, onEvents })}
          </LazyPart>
        )}
      </Box>
      {table.data !== undefined && (table.data.note !== null || (drawn.length < rows.length && !isTable)) && (
        <Text component="footer" size="xs" c="dimmed" mt={12}>
          {drawn.length < rows.length && !isTable && (
            // Pressable around its text: 44 px high on phones.
            <Anchor
              component="button"
              type="button"
              inherit
              mr={16}
              py={{ base: 13, md: 4 }}
              my={{ base: -13, md: -4 }}
              onClick={() => setTable(true)}
            >
              {drawn.length} of {count(rows.length)}: show all
            </Anchor>
          )}
          {table.data.note}
        </Text>
      )}
    </Paper>
  )
}

const icon = { size: 15, stroke: 1.7, 'aria-hidden': true } as const
const action = {
  variant: 'subtle',
  color: 'gray',
  c: 'dimmed',
  px: 8,
  fz: 'xs',
  fw: 450,
  styles: { section: { marginInlineEnd: 6 } },
} as const

function lookOf(kind: Column['kind']) {
  if (kind === 'text') return 'name'
  return kind === 'number' || kind === 'seconds' || kind === 'share' ? 'number' : undefined
}

function Waiting({ measure }: { measure: KpiMeasure }) {
  return (
    <Stack gap={20} pt={10} role="status" aria-label={`Loading: ${kpiMeasureLabels[measure]}`}>
      {['86%', '72%', '64%', '52%', '43%', '30%'].map((width) => (
        <SkeletonLine key={width} width={width} />
      ))}
    </Stack>
  )
}

/**
 * Writes a table as CSV, like every export of the product: 3-decisions 8. Durations are in seconds, shares from 0 to
 * 1.
 */
export function writeCsv({ columns, rows }: Pick<KpiTable, 'columns' | 'rows'>): string {
  const lines = [
    columns.map(({ label, kind }) => quoted(kind === 'seconds' ? `${label} (s)` : label)),
    ...rows.map((cells) => columns.map((column, index) => writeCell(column, cells[index] ?? null))),
  ]
  return BYTE_ORDER_MARK + lines.map((line) => line.join(',') + LINE_END).join('')
}

function writeCell({ kind }: Column, cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  // Dates begin with the year and need no guard.
  return quoted(kind === 'text' && FORMULA.test(cell) ? `'${cell}` : cell)
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
