import type { CSSProperties } from 'react'
import { PageBoxes } from './page-boxes.tsx'
import { paper } from './paper.ts'
import { ReportBlocks } from './report-blocks.tsx'
import type { Report } from './report-model.ts'
import styles from './report-sheet.module.css'

const colours = Object.fromEntries(
  Object.entries(paper).map(([name, colour]) => [`--paper-${name}`, colour]),
) as CSSProperties

/** The report as a sheet of paper: to be read on a screen of any width, and what the browser prints on A4. */
export function ReportSheet({ report: { head, sections, foot } }: { report: Report }) {
  return (
    <article className={styles.sheet} style={colours} data-sheet>
      <PageBoxes head={head} />
      <header className={styles.head}>
        <div>
          <h1>{head.title}</h1>
          <p className={styles.subtitle}>{head.subtitle}</p>
        </div>
        <div className={styles.about}>
          <p>{head.date}</p>
          <p className={styles.instrument}>
            <bdi>{head.instrument}</bdi>
          </p>
        </div>
      </header>
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
