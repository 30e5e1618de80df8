// Where answers come from: the server that sent this page.
const source = {
  async ask(kind, query, signal) {
    const answer = await fetch(`api/${kind}?${query}`, { signal });
    return [answer.ok, await answer.json()];
  },
  refine: () => null,
  board: (query) => `board?${query}`,
  async take(file) {
    const answer = await fetch(`api/file?name=${encodeURIComponent(file.name)}`, { method: "POST", body: file });
    return [answer.ok, await answer.json()];
  },
  silent: "the server does not answer; is it still running?",
};
