import { Document, Page, pdf, Text, View } from '@react-pdf/renderer'
import { PdfBlocks } from './pdf-blocks.tsx'
import { registerFonts } from './pdf-fonts.ts'
import { margins, pageHeight, styles } from './pdf-styles.ts'
import type { Report, ReportSection } from './report-model.ts'
import type { PdfOrder } from './report-pdf.ts'
import { mapTexts } from './report-texts.ts'

/** A report as the bytes of a PDF: A4, with selectable text, an outline, and its name and number on every page. */
export async function drawPdf({ report, country }: PdfOrder): Promise<ArrayBuffer> {
  const texts = ['0123456789 of']
  mapTexts(report, (text) => `${texts.push(text)}`)
  const { families, missing } = await registerFonts(texts.join(' '), country)
  const writable = mapTexts(report, (text) => [...text].map((letter) => (missing.has(letter) ? '?' : letter)).join(''))
  const written = await pdf(<ReportDocument report={writable} families={families} />).toBlob()
  return written.arrayBuffer()
}

function ReportDocument({ report: { head, sections, foot }, families }: { report: Report; families: string[] }) {
  return (
    <Document
      title={`${head.title} · ${head.instrument}`}
      subject={head.subtitle}
      author={foot.madeBy}
      creator="Benchwatch"
      language="en"
      pageMode="useOutlines"
    >
      <Page size="A4" style={[styles.page, { fontFamily: families }]}>
        <Edge
          top={margins.top / 2}
          ends={(page) => (page === 1 ? ['', ''] : [`${head.title} · ${head.subtitle}`, head.date])}
        />
        <Edge
          top={pageHeight - margins.bottom * 0.7}
          ends={(page, pages) => [head.instrument, `${page} of ${pages}`]}
        />
        <View style={[styles.head, styles.between]}>
          <View>
            <Text style={styles.title}>{head.title}</Text>
            <Text style={styles.subtitle}>{head.subtitle}</Text>
          </View>
          <View style={styles.about}>
            <Text>{head.date}</Text>
            <Text style={styles.strong}>{head.instrument}</Text>
          </View>
        </View>
        {sections.slice(0, -1).map((section) => (
          <Section key={section.name} section={section} />
        ))}
        {/* A page that holds the foot alone would look as if something were missing. */}
        <View wrap={false}>
          {sections.slice(-1).map((section) => (
            <Section key={section.name} section={section} />
          ))}
          <View style={styles.foot}>
            <Text>{foot.madeBy}</Text>
            <Text>{foot.confidentiality}</Text>
          </View>
        </View>
      </Page>
    </Document>
  )
}

type Ends = (page: number, pages: number) => [string, string]

/** A line at the upper or lower edge of every page; `ends` answers what stands at its ends. */
function Edge({ ends, top }: { top: number; ends: Ends }) {
  return (
    <View fixed style={[styles.edge, styles.between, { top }]}>
      <Text render={({ pageNumber, totalPages }) => ends(pageNumber, totalPages)[0]} />
      <Text render={({ pageNumber, totalPages }) => ends(pageNumber, totalPages)[1]} />
    </View>
  )
}

/** Sections that are short enough for a page and say less when they are torn. */
const whole: ReadonlySet<ReportSection['name']> = new Set(['customer', 'system', 'run-time', 'colour-key', 'about'])

function Section({ section: { name, title, blocks } }: { section: ReportSection }) {
  const isBox = name === 'about'
  const content = (
    <>
      {/* The outline takes bookmarks of every element, but only pages are typed to have one. */}
      <Text style={isBox ? styles.boxTitle : styles.sectionTitle} minPresenceAhead={64} {...{ bookmark: title }}>
        {title}
      </Text>
      <PdfBlocks blocks={blocks} />
    </>
  )
  // A title is held by what follows it only among its equals: in a box of its own it might end a page.
  if (!whole.has(name)) return content
  return (
    <View style={isBox ? styles.box : {}} wrap={false}>
      {content}
    </View>
  )
}
