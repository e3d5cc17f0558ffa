import type { ComponentMetric } from '@benchwatch/contract/instruments/usage'
import { Box, Group, Stack, Text, type TextProps } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import type { ReactNode } from 'react'
import type { RuntimeDay } from '../usage/runtime/runtime-axis.ts'
import { usageBar } from '../usage/usage-judgement.ts'
import { CHART_WIDTH, type PaperIcon, paper, runtimeDrawing, severityIcons, usageIcons } from './pdf-styles.ts'
import styles from './report-blocks.module.css'
import {
  isShortTable,
  type ReportBlock,
  type ReportCell,
  type ReportComponent,
  type ReportFact,
  type ReportMark,
  type ReportTable,
} from './report-model.ts'

/** The blocks of a section on the page, one after the other. */
export function ReportBlocks({ blocks }: { blocks: readonly ReportBlock[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: a report never changes.
  return blocks.map((block, place) => <Block key={place} block={block} />)
}

function Block({ block }: { block: ReportBlock }) {
  switch (block.kind) {
    case 'facts':
      return <Facts facts={block.facts} />
    case 'table':
      return <Table table={block} />
    case 'run-time':
      return <ReportChart days={block.days} label={block.label} />
    case 'components':
      return <ReportComponents components={block.components} />
    case 'key':
      return (
        <Box component="ul" m={0} p={0} className={styles.key}>
          {block.entries.map(({ usage, word, meaning }) => (
            <li key={usage}>
              <ReportIcon icon={usageIcons[usage]} />
              <span>
                <b>{word}</b> {meaning}
              </span>
            </li>
          ))}
        </Box>
      )
    case 'points':
      return (
        <div className={styles.points}>
          {block.points.map(({ title, text }) => (
            <div key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          ))}
        </div>
      )
    case 'text':
      return <QuietLine>{block.text}</QuietLine>
  }
}

function Facts({ facts }: { facts: readonly ReportFact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === null ? '–' : <bdi>{value}</bdi>}</dd>
        </div>
      ))}
    </dl>
  )
}

function Table({ table }: { table: ReportTable }) {
  const { title, columns, rows, empty } = table
  return (
    <div className={styles.tableBlock} data-short={isShortTable(table) || undefined}>
      {title !== null && <h3>{title}</h3>}
      {rows.length === 0 ? (
        <QuietLine>{empty}</QuietLine>
      ) : (
        <table className={styles.table}>
          <colgroup>
            {columns.map((column) => (
              <col key={column.title} style={{ width: `${column.share}%` }} />
            ))}
          </colgroup>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.title} scope="col" data-number={column.isNumber}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a report never changes.
              <tr key={row}>
                {columns.map((column, place) => (
                  <td key={column.title} data-title={column.title} data-number={column.isNumber}>
                    <Cell cell={cells[place]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

function QuietLine({ children }: { children: ReactNode }) {
  return (
    <Text inherit c="var(--paper-quiet)" mt={6}>
      {children}
    </Text>
  )
}

/** Further information in smaller type. */
function Small(props: TextProps & { children: ReactNode }) {
  return <Text span inherit fw={400} fz={11} c="var(--paper-quiet)" {...props} />
}

function Cell({ cell }: { cell: ReportCell | undefined }) {
  if (cell === undefined) return null
  return (
    <>
      <span className={styles.word}>
        {cell.mark !== undefined && <ReportIcon icon={iconOf(cell.mark)} />}
        <bdi>{cell.text}</bdi>
      </span>
      {Boolean(cell.note) && (
        <Small display="block">
          <bdi>{cell.note}</bdi>
        </Small>
      )}
    </>
  )
}

function iconOf(mark: ReportMark): PaperIcon {
  return mark.kind === 'severity' ? severityIcons[mark.severity] : usageIcons[mark.usage]
}

/** Run time hours of each day, from 0 to 24. Drawn at its width on screen and scaled in print. */
function ReportChart({ days, label }: { days: readonly RuntimeDay[]; label: string }) {
  const { ref, width: measured } = useElementSize()
  const { viewBox, width, gaps, bars, lines, names } = runtimeDrawing(days, measured || CHART_WIDTH)
  return (
    <div ref={ref}>
      <svg className={styles.chart} viewBox={viewBox} role="img" aria-label={label}>
        {gaps.map((gap) => (
          <rect key={gap.x} {...gap} />
        ))}
        {lines.map(({ text, y, stroke }) => (
          <g key={text}>
            <path d={`M0 ${y}H${width}`} stroke={stroke} strokeWidth={0.8} />
            <text x={-8} y={y + 3.5} textAnchor="end">
              {text}
            </text>
          </g>
        ))}
        {bars.map((bar) => (
          <rect key={bar.x} {...bar} />
        ))}
        {names.map(({ text, x, y }) => (
          <text key={x} x={x} y={y} textAnchor="middle">
            {text}
          </text>
        ))}
      </svg>
    </div>
  )
}

/** Each component with its counters and readings; no page break cuts one. */
function ReportComponents({ components }: { components: readonly ReportComponent[] }) {
  return components.map(({ name, module, counters, facts }) => (
    <div key={`${name} ${module}`} className={styles.component}>
      <h3>
        <bdi>{name}</bdi>{' '}
        {module !== null && (
          <Small>
            <bdi>{module}</bdi>
          </Small>
        )}
      </h3>
      {counters.length > 0 && (
        <Stack component="ul" gap={3} m="3px 0 0" p={0} className={styles.counters}>
          {counters.map(({ metric, word, amount, verdict }) => (
            <li key={metric.metric}>
              <bdi className={styles.metric}>{metric.metric}</bdi>
              <Bar metric={metric} />
              <span className={styles.amount}>
                {amount} {verdict !== null && <Small style={{ whiteSpace: 'nowrap' }}>{verdict}</Small>}
              </span>
              <span className={styles.word}>
                <ReportIcon icon={usageIcons[metric.usageColor]} />
                {word}
              </span>
            </li>
          ))}
        </Stack>
      )}
      {facts.length > 0 && (
        <Group component="dl" align="start" gap="0 18px" mt={4} fz={11} className={styles.viewFacts}>
          {facts.map((fact) => (
            <Group key={fact.name} align="start" wrap="nowrap" gap={5}>
              <dt>
                <bdi>{fact.name}</bdi>
              </dt>
              <dd>{fact.value === null ? '–' : <bdi>{fact.value}</bdi>}</dd>
            </Group>
          ))}
        </Group>
      )}
    </div>
  ))
}

function Bar({ metric }: { metric: ComponentMetric }) {
  const bar = usageBar(metric)
  const { colour } = usageIcons[metric.usageColor]
  switch (bar.kind) {
    case 'share':
      return (
        <span className={styles.bar}>
          <span style={{ width: `${bar.width}%`, background: colour }} />
        </span>
      )
    case 'steps':
      return (
        <span className={styles.steps}>
          {[1, 2, 3].map((step) => (
            <span key={step} style={step <= bar.step ? { background: colour } : undefined} />
          ))}
        </span>
      )
    case 'none':
      return <span className={styles.bar} />
  }
}

/** Colour and shape, beside the label. */
function ReportIcon({ icon: { colour, shape, isHollow } }: { icon: PaperIcon }) {
  return (
    <svg className={styles.sign} viewBox="0 0 12 12" width="10" height="10" aria-hidden="true">
      <path d={shape} fill={isHollow ? paper.sheet : colour} stroke={colour} strokeWidth={isHollow ? 1.6 : 0} />
    </svg>
  )
}
