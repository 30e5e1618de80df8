// The Python that runs in the page: MicroPython (see LICENSE-micropython.txt) with the engine's own files.
let answer;
self.onmessage = async ({ data }) => {
  try {
    if (data.wasm) {
      self.fetch = async () => new Response(data.wasm, { headers: { "content-type": "application/wasm" } });
      const python = await loadMicroPython({ url: "micropython.wasm", heapsize: 64 * 2 ** 20 });
      for (const [path, text] of Object.entries(data.files)) {
        const folders = path.split("/").slice(0, -1);
        folders.forEach((_, i) => {
          const folder = `/${folders.slice(0, i + 1).join("/")}`;
          if (!python.FS.analyzePath(folder).exists) python.FS.mkdir(folder);
        });
        python.FS.writeFile(`/${path}`, text);
      }
      python.runPython("import sys\nsys.path.insert(0, '/')\nfrom deadheat.explorer.browser.driver import answer");
      answer = python.globals.get("answer");
      self.postMessage({ ready: true });
    } else self.postMessage({ answer: answer(data.question) });
  } catch (error) {
    self.postMessage({ failed: String(error) });
  }
};
