import { Text, View } from '@react-pdf/renderer'
import type { ReactNode } from 'react'
import { type Sign, severitySigns, usageSigns } from './paper.ts'
import { PdfChart } from './pdf-chart.tsx'
import { PdfComponents } from './pdf-components.tsx'
import { PdfSign } from './pdf-sign.tsx'
import { styles } from './pdf-styles.ts'
import type { ReportBlock, ReportCell, ReportFact, ReportMark, ReportTable } from './report-model.ts'

/** Blocks of a section as the PDF shows them, one after the other. */
export function PdfBlocks({ blocks }: { blocks: readonly ReportBlock[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: a report never changes.
  return blocks.map((block, place) => <Block key={place} block={block} />)
}

function Block({ block }: { block: ReportBlock }) {
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
    case 'components':
      return <PdfComponents components={block.components} />
    case 'key':
      return (
        <Columns>
          {block.entries.map(({ usage, word, meaning }) => (
            <View key={usage} style={styles.key}>
              <PdfSign sign={usageSigns[usage]} style={styles.keySign} />
              <Text style={styles.shrinking}>
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

/** Two beside each other, line by line: a line is never cut by the end of a page. */
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

function Table({ table: { title, columns, rows, empty } }: { table: ReportTable }) {
  const all = columns.reduce((sum, { share }) => sum + share, 0)
  const cellStyle = columns.map(({ share, isNumber }) => [
    styles.cell,
    { width: `${(100 * share) / all}%`, textAlign: isNumber ? ('right' as const) : ('left' as const) },
  ])
  return (
    <>
      {title !== null && (
        <Text style={styles.tableTitle} minPresenceAhead={64}>
          {title}
        </Text>
      )}
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
          {rows.map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a report never changes.
            <View key={row} style={styles.row} wrap={false}>
              {columns.map((column, place) => (
                <View key={column.title} style={cellStyle[place] ?? []}>
                  <Cell cell={cells[place]} />
                </View>
              ))}
            </View>
          ))}
        </View>
      )}
    </>
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
          <PdfSign sign={signOf(cell.mark)} style={styles.sign} />
          <Text style={styles.shrinking}>{cell.text}</Text>
        </View>
      )}
      {Boolean(cell.note) && <Text style={styles.small}>{cell.note}</Text>}
    </>
  )
}

function signOf(mark: ReportMark): Sign {
  return mark.kind === 'severity' ? severitySigns[mark.severity] : usageSigns[mark.usage]
}
