/** A page by family: its TYPE line and its samples, as they stand there. HELP lines, which are our own, are left out. */
export function familyBlocks(page: string): ReadonlyMap<string, readonly string[]> {
  const blocks = new Map<string, string[]>();
  let block: string[] = [];
  for (const line of page.split('\n')) {
    if (line === '' || line.startsWith('# HELP ')) continue;
    if (line.startsWith('# TYPE ')) {
      block = [];
      blocks.set(line.split(' ')[2]!, block);
    }
    block.push(line);
  }
  return blocks;
}
