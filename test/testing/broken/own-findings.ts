/** What was found, without what a breakage breaks besides its own rule, if an ellipsis says that there is more. */
export function ownFindings(found: readonly { code: string }[], expected: readonly string[]): string[] {
  const codes = found.map(({ code }) => code);
  return expected.includes('…') ? [...new Set(codes.filter((code) => expected.includes(code))), '…'] : codes;
}
