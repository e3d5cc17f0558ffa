import { type Sign, severitySigns, usageSigns } from './paper.ts'
import styles from './report-blocks.module.css'
import { ReportChart } from './report-chart.tsx'
import { ReportComponents } from './report-components-view.tsx'
import type { ReportBlock, ReportCell, ReportFact, ReportMark, ReportTable } from './report-model.ts'
import { ReportSign } from './report-sign.tsx'

/** Blocks of a section as the page shows them, one after the other. */
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
              <ReportSign sign={usageSigns[usage]} />
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

function Table({ table: { title, columns, rows, empty } }: { table: ReportTable }) {
  return (
    <div className={styles.tableBlock}>
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
        {cell.mark !== undefined && <ReportSign sign={signOf(cell.mark)} />}
        <bdi>{cell.text}</bdi>
      </span>
      {Boolean(cell.note) && <bdi className={styles.note}>{cell.note}</bdi>}
    </>
  )
}

function signOf(mark: ReportMark): Sign {
  return mark.kind === 'severity' ? severitySigns[mark.severity] : usageSigns[mark.usage]
}
