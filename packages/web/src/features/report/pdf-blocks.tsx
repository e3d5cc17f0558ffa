import type { ComponentMetric } from '@benchwatch/contract/instruments/usage'
import { G, Path, Rect, Svg, Text, View } from '@react-pdf/renderer'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
import type { RuntimeDay } from '../usage/runtime/runtime-axis.ts'
import { usageBar } from '../usage/usage-judgement.ts'
import {
  CHART_WIDTH,
  type PaperIcon,
  paper,
  runtimeDrawing,
  severityIcons,
  styles,
  textWidth,
  usageIcons,
} from './pdf-styles.ts'
import {
  isShortTable,
  type ReportBlock,
  type ReportCell,
  type ReportComponent,
  type ReportFact,
  type ReportMark,
  type ReportTable,
} from './report-model.ts'

/** Returns the parts between which a page may break, in reading order. The title belongs to the first part. */
export function pdfParts(blocks: readonly ReportBlock[]): ReactElement[] {
  return blocks.flatMap((block, at) => {
    if (block.kind !== 'components') return <Block key={at} block={block} />
    return block.components.map((component) => (
      <PdfComponent key={`${component.name} ${component.module}`} component={component} />
    ))
  })
}

/** Returns true if a page may break within a block; its head stays with the first rows. */
export function isLong(block: ReportBlock | undefined): boolean {
  return block?.kind === 'table' && !isShortTable(block)
}

type PlainBlock = Exclude<ReportBlock, { kind: 'components' }>

function Block({ block }: { block: PlainBlock }) {
  switch (block.kind) {
    case 'facts':
      return (
        <Columns>
          {block.facts.map((fact) => (
            <Fact key={fact.name} fact={fact} />
          ))}
        </Columns>
      )
    case 'table':
      return <Table table={block} />
    case 'run-time':
      return <PdfChart days={block.days} />
    case 'key':
      return (
        <Columns>
          {block.entries.map(({ usage, word, meaning }) => (
            <View key={usage} style={styles.key}>
              <PdfIcon icon={usageIcons[usage]} style={styles.keyIcon} />
              <Text style={styles.filling}>
                <Text style={styles.strong}>{word}</Text>
                <Text style={styles.quiet}> {meaning}</Text>
              </Text>
            </View>
          ))}
        </Columns>
      )
    case 'points':
      return (
        <Columns>
          {block.points.map(({ title, text }) => (
            <View key={title} style={styles.column}>
              <Text style={styles.strong}>{title}</Text>
              <Text>{text}</Text>
            </View>
          ))}
        </Columns>
      )
    case 'text':
      return <Text style={styles.quiet}>{block.text}</Text>
  }
}

/** Two columns side by side, row by row, so that no page break cuts a row. */
function Columns({ children }: { children: ReactNode[] }) {
  return Array.from({ length: Math.ceil(children.length / 2) }, (_, line) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a report never changes.
    <View key={line} style={styles.columns} wrap={false}>
      {children[2 * line]}
      {children[2 * line + 1] ?? <View style={styles.column} />}
    </View>
  ))
}

function Fact({ fact: { name, value } }: { fact: ReportFact }) {
  return (
    <View style={styles.fact}>
      <Text style={styles.factName}>{name}</Text>
      <Text style={styles.factValue}>{value ?? '–'}</Text>
    </View>
  )
}

function Table({ table }: { table: ReportTable }) {
  const { title, columns, rows, empty } = table
  const all = columns.reduce((sum, { share }) => sum + share, 0)
  const cellStyle = columns.map(({ share, isNumber }) => [
    styles.cell,
    { width: `${(100 * share) / all}%`, textAlign: isNumber ? ('right' as const) : ('left' as const) },
  ])
  const drawn = rows.map((cells, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a report never changes.
    <View key={row} style={styles.row} wrap={false}>
      {columns.map((column, place) => (
        <View key={column.title} style={cellStyle[place] ?? []}>
          <Cell cell={cells[place]} />
        </View>
      ))}
    </View>
  ))
  return (
    <View wrap={!isShortTable(table)}>
      {title !== null && <Text style={styles.tableTitle}>{title}</Text>}
      {rows.length === 0 ? (
        <Text style={styles.quiet}>{empty}</Text>
      ) : (
        <View>
          <View style={styles.tableHead} fixed>
            {columns.map((column, place) => (
              <Text key={column.title} style={cellStyle[place] ?? []}>
                {column.title}
              </Text>
            ))}
          </View>
          {/* No page ends after the head and one row, and none starts with the last row. */}
          <View wrap={false}>{drawn.slice(0, 3)}</View>
          {drawn.slice(3, -2)}
          <View wrap={false}>{drawn.slice(Math.max(3, drawn.length - 2))}</View>
        </View>
      )}
    </View>
  )
}

function Cell({ cell }: { cell: ReportCell | undefined }) {
  if (cell === undefined) return null
  return (
    <>
      {cell.mark === undefined ? (
        <Text>{cell.text}</Text>
      ) : (
        <View style={styles.cellText}>
          <PdfIcon icon={iconOf(cell.mark)} style={styles.icon} />
          <Text style={styles.filling}>{cell.text}</Text>
        </View>
      )}
      {Boolean(cell.note) && <Text style={styles.small}>{cell.note}</Text>}
    </>
  )
}

function iconOf(mark: ReportMark): PaperIcon {
  return mark.kind === 'severity' ? severityIcons[mark.severity] : usageIcons[mark.usage]
}

/** The run time chart as vectors at the width of the text. */
function PdfChart({ days }: { days: readonly RuntimeDay[] }) {
  const { viewBox, width, gaps, bars, lines, names } = runtimeDrawing(days, CHART_WIDTH)
  const [, , drawnWidth = 1, drawnHeight = 1] = viewBox.split(' ').map(Number)
  return (
    <Svg viewBox={viewBox} style={{ width: textWidth, height: (textWidth * drawnHeight) / drawnWidth }}>
      {gaps.map((gap) => (
        <Rect key={gap.x} {...gap} />
      ))}
      {lines.map(({ text, y, stroke }) => (
        <G key={text}>
          <Path d={`M0 ${y}H${width}`} stroke={stroke} strokeWidth={0.8} />
          <Label x={-8} y={y + 3.5} anchor="end" text={text} />
        </G>
      ))}
      {bars.map((bar) => (
        <Rect key={bar.x} {...bar} />
      ))}
      {names.map(({ text, x, y }) => (
        <Label key={x} x={x} y={y} anchor="middle" text={text} />
      ))}
    </Svg>
  )
}

function Label({ x, y, anchor, text }: { x: number; y: number; anchor: 'middle' | 'end'; text: string }) {
  return (
    <Text x={x} y={y} textAnchor={anchor} fill={paper.quiet} style={{ fontSize: 10 }}>
      {text}
    </Text>
  )
}

/** A component with its counters and readings; no page break cuts it. */
function PdfComponent({ component: { name, module, counters, facts } }: { component: ReportComponent }) {
  return (
    <View style={styles.component} wrap={false}>
      <Text>
        <Text style={styles.strong}>{name}</Text>
        {module !== null && <Text style={styles.small}> {module}</Text>}
      </Text>
      {counters.map(({ metric, word, amount, verdict }) => (
        <View key={metric.metric} style={styles.counter}>
          <Text style={styles.metric}>{metric.metric}</Text>
          <Bar metric={metric} />
          <View style={styles.amount}>
            <Text>{amount}</Text>
            {/* This text moves to the next line as a whole. */}
            {verdict !== null && <Text style={styles.small}>{verdict}</Text>}
          </View>
          <View style={styles.word}>
            <PdfIcon icon={usageIcons[metric.usageColor]} style={styles.icon} />
            <Text style={styles.filling}>{word}</Text>
          </View>
        </View>
      ))}
      {facts.length > 0 && (
        <View style={styles.smallFacts}>
          {facts.map((fact) => (
            <Text key={fact.name}>
              <Text style={styles.quiet}>{fact.name} </Text>
              {fact.value ?? '–'}
            </Text>
          ))}
        </View>
      )}
    </View>
  )
}

function Bar({ metric }: { metric: ComponentMetric }) {
  const bar = usageBar(metric)
  const { colour: backgroundColor } = usageIcons[metric.usageColor]
  switch (bar.kind) {
    case 'share':
      return (
        <View style={styles.track}>
          <View style={{ width: `${bar.width}%`, height: '100%', backgroundColor }} />
        </View>
      )
    case 'steps':
      return (
        <View style={styles.steps}>
          {[1, 2, 3].map((step) => (
            <View key={step} style={step <= bar.step ? [styles.step, { backgroundColor }] : styles.step} />
          ))}
        </View>
      )
    case 'none':
      return <View style={styles.track} />
  }
}

/** Colour and shape, beside the label. */
function PdfIcon(props: { icon: PaperIcon; style: NonNullable<ComponentProps<typeof Svg>['style']> }) {
  const { colour, shape, isHollow } = props.icon
  return (
    <Svg viewBox="0 0 12 12" style={props.style}>
      <Path d={shape} fill={isHollow ? paper.sheet : colour} stroke={colour} strokeWidth={isHollow ? 1.6 : 0} />
    </Svg>
  )
}
