// No way out of this machine for programs of Node: a host is not looked up but written down.
const dns = require("dns");
const fs = require("fs");

dns.lookup = (host, ...rest) => {
  fs.appendFileSync(process.env.ATTEMPTS, `${host}\n`);
  const error = Object.assign(new Error(`no network in these tests: ${host}`), { code: "ENOTFOUND" });
  process.nextTick(rest.at(-1), error);
};
