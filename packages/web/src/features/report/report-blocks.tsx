import type { ComponentMetric } from '@benchwatch/contract/usage'
import { useElementSize } from '@mantine/hooks'
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
        <ul className={styles.key}>
          {block.entries.map(({ usage, word, meaning }) => (
            <li key={usage}>
              <ReportIcon icon={usageIcons[usage]} />
              <span>
                <b>{word}</b> {meaning}
              </span>
            </li>
          ))}
        </ul>
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
      return <p className={styles.text}>{block.text}</p>
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
        <p className={styles.text}>{empty}</p>
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

function Cell({ cell }: { cell: ReportCell | undefined }) {
  if (cell === undefined) return null
  return (
    <>
      <span className={styles.cell}>
        {cell.mark !== undefined && <ReportIcon icon={iconOf(cell.mark)} />}
        <bdi>{cell.text}</bdi>
      </span>
      {Boolean(cell.note) && <bdi className={styles.note}>{cell.note}</bdi>}
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
        <bdi>{name}</bdi> {module !== null && <bdi className={styles.module}>{module}</bdi>}
      </h3>
      {counters.length > 0 && (
        <ul className={styles.counters}>
          {counters.map(({ metric, word, amount, verdict }) => (
            <li key={metric.metric}>
              <bdi className={styles.metric}>{metric.metric}</bdi>
              <Bar metric={metric} />
              <span className={styles.amount}>
                {amount} {verdict !== null && <span className={styles.verdict}>{verdict}</span>}
              </span>
              <span className={styles.word}>
                <ReportIcon icon={usageIcons[metric.usageColor]} />
                {word}
              </span>
            </li>
          ))}
        </ul>
      )}
      {facts.length > 0 && (
        <dl className={styles.viewFacts}>
          {facts.map((fact) => (
            <div key={fact.name}>
              <dt>
                <bdi>{fact.name}</bdi>
              </dt>
              <dd>{fact.value === null ? '–' : <bdi>{fact.value}</bdi>}</dd>
            </div>
          ))}
        </dl>
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

/** Colour and shape; the label stands beside it. */
function ReportIcon({ icon: { colour, shape, isHollow } }: { icon: PaperIcon }) {
  return (
    <svg className={styles.sign} viewBox="0 0 12 12" width="10" height="10" aria-hidden="true">
      <path d={shape} fill={isHollow ? paper.sheet : colour} stroke={colour} strokeWidth={isHollow ? 1.6 : 0} />
    </svg>
  )
}
