// Where answers come from: files beside this page, computed beforehand, and the engine itself for the calculators.
const unpacked = async (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
};
const wordsOf = async (text) => new TextDecoder().decode(await unpacked(text));

const source = {
  kept: {}, worker: null, pending: null,
  silent: "the file with this answer is not beside the page",

  async ask(kind, query, signal) {
    const asked = new URLSearchParams(query);
    if (kind === "tie" || kind === "plan") return this.compute([kind, [...asked], false], signal);
    const found = await this.look(kind, asked);
    return [!("error" in found), found];
  },

  // Exact sums take seconds here, so they come after the answer by formula.
  async refine(kind, query, found, signal) {
    if (kind !== "plan" || !Object.entries(found.plan.answer).some(([name, value]) => name.endsWith("exact") && value === null)) return null;
    const [ok, better] = await this.compute([kind, [...new URLSearchParams(query)], true], signal);
    return ok ? better : null;
  },

  board: () => "board.html",

  // Answers that were computed beforehand, by the settings that they answer.
  async look(kind, asked) {
    if (kind === "board") return this.file("board");
    if (kind === "rerun") return (await this.file("rerun"))[[...asked].map(([name, value]) => `${name}=${value}`).sort().join("&")];
    const all = (await this.file(`coverage-${asked.get("items")}-${asked.get("level")}`))[`${asked.get("start")} ${asked.get("stop")}`];
    const methods = (asked.get("methods") ?? "").split(",");
    return { ...all, curves: all.curves.filter((curve) => methods.includes(curve.method)) };
  },

  // A file is a script, since a page from disk may read nothing else.
  async file(name) {
    if (!this.kept[name]) {
      this.kept[name] = new Promise((found, failed) => {
        const script = element("script", { src: `${name}.js` });
        script.onload = () => found(wordsOf(globalThis.deadheat[name]).then(JSON.parse));
        script.onerror = () => failed(new Error(name));
        document.head.append(script);
      });
    }
    return this.kept[name];
  },

  // The engine runs in a worker. One question is answered at a time; one that is of no interest any more may
  // take a second, then it is given up with its worker.
  async compute(question, signal) {
    const ended = () => new DOMException("", "AbortError");
    const before = this.pending;
    if (before) {
      await Promise.race([before, new Promise((over) => setTimeout(over, 1000))]);
      if (signal.aborted) throw ended();
      if (this.pending === before) {
        this.worker.then((worker) => worker.terminate());
        this.worker = null;
      }
    }
    const worker = await (this.worker ??= this.start());
    if (signal.aborted) throw ended();
    const text = new Promise((answered, failed) => {
      worker.onmessage = ({ data }) => (data.answer === undefined ? failed(new Error(data.failed)) : answered(data.answer));
    });
    const done = () => { if (this.pending === pending) this.pending = null; };
    const pending = (this.pending = text.then(done, done));
    worker.postMessage({ question: JSON.stringify(question) });
    const stop = new Promise((_, failed) => signal.addEventListener("abort", () => failed(ended())));
    const found = JSON.parse(await Promise.race([text, stop]));
    return [!("error" in found), found];
  },

  async start() {
    const { code, wasm, files } = globalThis.deadheat.engine;
    const [text, bytes, sources] = await Promise.all([wordsOf(code), unpacked(wasm), wordsOf(files)]);
    const worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    await new Promise((ready, failed) => {
      worker.onmessage = (event) => (event.data.ready ? ready() : failed(new Error(event.data.failed)));
      worker.onerror = (event) => failed(new Error(event.message));
      worker.postMessage({ wasm: bytes, files: JSON.parse(sources) });
    });
    return worker;
  },
};
source.worker = source.start();
