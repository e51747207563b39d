/** Measures one group of goals in a process of its own and tells the rows: node child.mjs <group> <settings as JSON>. */
const [group, settings] = process.argv.slice(2);
const { measure } = await import(`./goals/${group}.mjs`);
const rows = await measure(JSON.parse(settings));
process.send(rows, () => process.exit(0));
