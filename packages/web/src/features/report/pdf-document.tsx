import { Document, Page, pdf, Text, View } from '@react-pdf/renderer'
import { isLong, pdfParts } from './pdf-blocks.tsx'
import { registerFonts } from './pdf-fonts.ts'
import { margins, pageHeight, styles } from './pdf-styles.ts'
import type { Report, ReportSection } from './report-model.ts'
import type { PdfOrder } from './report-pdf.ts'

/** Returns a report as a PDF: A4, with selectable text, an outline, and its name and page number on every page. */
export async function drawPdf({ report, country }: PdfOrder): Promise<ArrayBuffer> {
  const shaped = mapTexts(report, joinArabic)
  const texts = ['0123456789 of']
  mapTexts(shaped, (text) => `${texts.push(text)}`)
  const { families, missing } = await registerFonts(texts.join(' '), country)
  const writable = mapTexts(shaped, (text) => [...text].map((letter) => (missing.has(letter) ? '?' : letter)).join(''))
  const written = await pdf(<ReportDocument report={writable} plain={report} families={families} />).toBlob()
  return written.arrayBuffer()
}

interface ReportDocumentProps {
  report: Report
  /** The unchanged report, for the document title. */
  plain: Report
  families: string[]
}

function ReportDocument({ report: { head, sections, foot }, plain, families }: ReportDocumentProps) {
  return (
    <Document
      title={`${plain.head.title} · ${plain.head.instrument}`}
      subject={head.subtitle}
      author={plain.foot.madeBy}
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
        {/* A page with nothing but the footer would look incomplete. */}
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

/** A line at the top or bottom of every page; `ends` returns the texts at its ends. */
function Edge({ ends, top }: { top: number; ends: Ends }) {
  return (
    <View fixed style={[styles.edge, styles.between, { top }]}>
      <Text render={({ pageNumber, totalPages }) => ends(pageNumber, totalPages)[0]} />
      <Text render={({ pageNumber, totalPages }) => ends(pageNumber, totalPages)[1]} />
    </View>
  )
}

/** Space for the head of a long table and its first rows. */
const LEAST_OF_TABLE = 120

/** Sections that fit on a page and are harder to read when split. */
const whole: ReadonlySet<ReportSection['name']> = new Set(['customer', 'system', 'run-time', 'colour-key', 'about'])

function Section({ section: { name, title, blocks } }: { section: ReportSection }) {
  const isBox = name === 'about'
  const [first, ...rest] = pdfParts(blocks)
  const heading = (
    // The renderer accepts bookmarks on every element, but its types allow them on pages only.
    <Text
      style={isBox ? styles.boxTitle : styles.sectionTitle}
      minPresenceAhead={LEAST_OF_TABLE}
      {...{ bookmark: title }}
    >
      {title}
    </Text>
  )
  if (whole.has(name))
    return (
      <View style={isBox ? styles.box : {}} wrap={false}>
        {heading}
        {first}
        {rest}
      </View>
    )
  return (
    <>
      {isLong(blocks[0]) ? (
        <>
          {heading}
          {first}
        </>
      ) : (
        <View wrap={false}>
          {heading}
          {first}
        </View>
      )}
      {rest}
    </>
  )
}

/** Returns a copy of a report, or a part of it, with every text changed. */
export function mapTexts<T>(value: T, change: (text: string) => string): T
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapTexts<unknown>(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapTexts<unknown>(each, change)]))
}

/**
 * Returns Arabic letters in the forms that join their neighbours (`ﻴ` for `ي` within a word). The PDF layout picks
 * forms on its own but sets their dots as separate letters: in the wrong place, and as another letter when copied. PDF
 * readers turn the forms back into letters.
 */
export function joinArabic(text: string): string {
  if (!arabic.test(text)) return text
  const letters = [...text]
  const beside = (at: number, step: 1 | -1): string => {
    let place = at + step
    while (/\p{M}/u.test(letters[place] ?? '')) place += step
    return letters[place] ?? ''
  }
  return letters
    .map((letter, at) => {
      const before = at > 0 && joinsNext(beside(at, -1))
      const after = joinsNext(letter) && joinsBefore(beside(at, 1))
      return forms.get(letter)?.[(before ? 1 : 0) + (after ? 2 : 0)] ?? letter
    })
    .join('')
    .replace(lamAlef, (pair) => ligatures.get(pair) ?? pair)
}

const arabic = /\p{Script=Arabic}/u

/** Forms by letter: isolated, final, initial and medial, in Unicode's order. */
const forms = new Map<string, string[]>()
/** Lam and alef are written as one letter, keyed by their two forms. */
const ligatures = new Map<string, string>()

for (const [first, last] of [
  [0xfe80, 0xfefc],
  [0xfb50, 0xfbff],
] as const) {
  for (let point = first; point <= last; point++) {
    const form = String.fromCodePoint(point)
    const letter = form.normalize('NFKC')
    if (letter.length === 1) forms.set(letter, [...(forms.get(letter) ?? []), form])
    else if (point >= 0xfef5) {
      const [lam = '', alef = ''] = letter
      const [, alefAtEnd = ''] = forms.get(alef) ?? []
      const isAtEnd = point % 2 === 0
      ligatures.set(`${forms.get(lam)?.[isAtEnd ? 3 : 2] ?? ''}${alefAtEnd}`, form)
    }
  }
}
const lamAlef = new RegExp([...ligatures.keys()].join('|'), 'gu')

/** A single hamza joins nothing. */
function joinsBefore(letter: string): boolean {
  return letter === 'ـ' || (forms.get(letter)?.length ?? 0) > 1
}

/** Letters with two forms join only the letter before them; a tatweel joins both. */
function joinsNext(letter: string): boolean {
  return letter === 'ـ' || (forms.get(letter)?.length ?? 0) > 2
}
