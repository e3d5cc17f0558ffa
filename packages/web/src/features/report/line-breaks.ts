/**
 * Where a line of the PDF may end within a word. Its layout takes a word apart at the texts that this returns and would end a line
 * there with a hyphen; an empty text in between is a place to end it without one. Nothing is hyphenated: names, numbers and
 * addresses have to be copied as they are.
 */

/** Longest word that is kept whole: the narrowest column of a report holds as many letters. */
const LONGEST = 18

/** Scripts that are written without spaces. What closes stays with what it closes, small kana with what they lengthen. */
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}][\p{M}\p{Pe}\p{Pf}、。，．！？：；ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ]*/u
const pieces = new RegExp(
  `${spaceless.source}|[^\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]+`,
  'gu',
)

export function breakOpportunities(word: string): string[] {
  if (word.length <= LONGEST && !spaceless.test(word)) return [word]
  return (word.match(pieces) ?? [word])
    .flatMap(splitLong)
    .flatMap((piece, place) => (place === 0 ? [piece] : ['', piece]))
}

/** Behind what joins the parts of an address or a path; every so many letters where there is no such sign. */
function splitLong(piece: string): string[] {
  if (piece.length <= LONGEST) return [piece]
  return (piece.match(/[^-@._/\\]*[-@._/\\]|[^-@._/\\]+/gu) ?? [piece]).flatMap(
    (part) => part.match(new RegExp(`.{1,${LONGEST}}`, 'gsu')) ?? [part],
  )
}
