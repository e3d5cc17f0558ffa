import { StyleSheet } from '@react-pdf/renderer'
import { paper } from './paper.ts'

/** Points to a millimetre. */
const mm = 72 / 25.4

/** Measures of the PDF in points: three quarters of the page's CSS pixels, so that both have the same lines. */
export const margins = { top: 19 * mm, side: 15 * mm, bottom: 17 * mm }
export const textWidth = 180 * mm
export const pageHeight = 297 * mm

export const styles = StyleSheet.create({
  page: {
    paddingTop: margins.top,
    paddingBottom: margins.bottom,
    paddingHorizontal: margins.side,
    color: paper.ink,
    fontSize: 9,
    lineHeight: 1.35,
    // Kerned, the dots of versions and addresses touch the digits; tabular figures would spread hyphens.
    fontFeatureSettings: { kern: 0 },
  },
  edge: { position: 'absolute', left: margins.side, right: margins.side, color: paper.quiet, fontSize: 8 },
  between: { flexDirection: 'row', justifyContent: 'space-between', gap: 16 },
  head: { paddingBottom: 10, borderBottom: `1.5 solid ${paper.accent}`, marginTop: -margins.top / 3 },
  title: { fontSize: 19, fontWeight: 600, lineHeight: 1.2 },
  subtitle: { fontSize: 10, color: paper.quiet },
  about: { alignItems: 'flex-end', justifyContent: 'flex-end', maxWidth: '60%' },
  strong: { fontWeight: 600 },
  quiet: { color: paper.quiet },
  small: { color: paper.quiet, fontSize: 8 },
  sectionTitle: {
    marginTop: 15,
    marginBottom: 6,
    paddingBottom: 3,
    borderBottom: `0.75 solid ${paper.line}`,
    fontSize: 10.5,
    fontWeight: 600,
  },
  box: { marginTop: 14, padding: 9, borderRadius: 4, backgroundColor: paper.accentSoft },
  boxTitle: { marginBottom: 4, fontSize: 10.5, fontWeight: 600 },
  columns: { flexDirection: 'row', gap: 24, marginBottom: 2 },
  column: { flexGrow: 1, flexBasis: 0 },
  fact: { flexDirection: 'row', gap: 6, flexGrow: 1, flexBasis: 0 },
  factName: { width: 87, color: paper.quiet },
  factValue: { flexGrow: 1, flexBasis: 0 },
  tableTitle: { marginTop: 6, marginBottom: 3, fontWeight: 600 },
  tableHead: {
    flexDirection: 'row',
    backgroundColor: paper.row,
    color: paper.quiet,
    fontSize: 8,
    paddingVertical: 3,
  },
  row: { flexDirection: 'row', borderBottom: `0.75 solid ${paper.line}`, paddingVertical: 2.6 },
  cell: { paddingHorizontal: 6 },
  cellText: { flexDirection: 'row', alignItems: 'center', gap: 4 },
  shrinking: { flexShrink: 1 },
  key: { flexDirection: 'row', alignItems: 'flex-start', gap: 5, flexGrow: 1, flexBasis: 0 },
  sign: { width: 7.5, height: 7.5, flexShrink: 0 },
  keySign: { width: 7.5, height: 7.5, flexShrink: 0, marginTop: 2.6 },
  component: { paddingTop: 5, paddingBottom: 6, borderBottom: `0.75 solid ${paper.line}` },
  counter: { flexDirection: 'row', alignItems: 'center', gap: 9, marginTop: 2 },
  metric: { width: '24%' },
  track: { width: '15%', height: 5.2, borderRadius: 2.6, backgroundColor: paper.track, overflow: 'hidden' },
  steps: { width: '15%', flexDirection: 'row', gap: 1.5 },
  step: { flexGrow: 1, height: 5.2, borderRadius: 1, backgroundColor: paper.track },
  amount: { flexGrow: 1, flexBasis: 0 },
  word: { width: '18%', flexDirection: 'row', alignItems: 'center', gap: 4 },
  smallFacts: { flexDirection: 'row', flexWrap: 'wrap', columnGap: 13, marginTop: 3, fontSize: 8 },
  foot: {
    marginTop: 12,
    paddingTop: 9,
    gap: 4,
    borderTop: `0.75 solid ${paper.line}`,
    color: paper.quiet,
    fontSize: 8,
  },
})
