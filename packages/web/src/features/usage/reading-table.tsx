import styles from './reading-table.module.css'

/** The data of a chart as a table of days that scrolls at the chart's height. */
export function ReadingTable(props: {
  label: string
  columns: readonly [name: string, value: string]
  rows: readonly { key: string; name: string; value: string; remark: string | null }[]
}) {
  const { label, columns, rows } = props
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the focus, so that keys scroll it
    <section className={styles.frame} tabIndex={0} aria-label={label}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, value, remark }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td>
                {value}
                {remark !== null && <span className={styles.remark}> {remark}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Switches between a chart and its table. */
export function TableSwitch({ isTable, onChange }: { isTable: boolean; onChange: (isTable: boolean) => void }) {
  return (
    <button type="button" className={styles.switch} onClick={() => onChange(!isTable)}>
      {isTable ? 'Show as chart' : 'Show as table'}
    </button>
  )
}
