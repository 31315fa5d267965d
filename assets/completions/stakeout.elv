
use builtin;
use str;

set edit:completion:arg-completer[stakeout] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'stakeout'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'stakeout'= {
            cand --stdio 'Start this command line as a server; split by POSIX quoting, without a shell'
            cand --env 'A variable for --stdio''s server, beside the inherited ones'
            cand --url 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse'
            cand --header 'A header for --url''s server'
            cand --mcp-config 'A file with mcpServers, or AURA''s or Codex''s TOML, over the project''s ./.mcp.json and the user''s own'
            cand --connect-timeout 'How long connecting may take, over an entry''s own timeout [default: 30s]'
            cand --ascii 'Draw the screen with ASCII alone, as where the locale has nothing else'
            cand --discover 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode'
            cand --trust 'Approve the servers of the project''s files and of the spec, for this once'
            cand -v 'Tell errors with their causes'
            cand --verbose 'Tell errors with their causes'
            cand -h 'Print help'
            cand --help 'Print help'
            cand -V 'Print version'
            cand --version 'Print version'
            cand run 'Wait until a tool''s output says what you are waiting for'
            cand call 'Call a tool once, and print its observation; exit code 1 on a tool error'
            cand tools 'List a server''s tools'
            cand servers 'List the servers, and where they come from'
            cand list 'List the saved waits and the recordings'
            cand check 'Validate a spec: is it portable, what does it need, what is odd about it'
            cand replay 'Play back a recording; with a condition, say what the wait would have come to'
            cand serve 'Be an MCP server whose tool wait_for waits, for agents'
            cand demo-server 'Be the demo server, over stdin and stdout'
            cand completions 'Print what completes this command line in a shell'
            cand man 'Print the manual page of stakeout, or of one of its commands'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'stakeout;run'= {
            cand --server 'Which server''s tool; needed only where it isn''t clear'
            cand --tool 'The tool to sample'
            cand --args 'The arguments: a JSON object, @FILE, or - for standard input'
            cand --arg 'One argument: K=V is a string, K:=JSON is anything else'
            cand --matches 'Stop when the output matches this regex'
            cand --not-matches 'Stop when the output no longer matches this regex'
            cand --quiet-for 'Stop when the output has not changed for this long'
            cand --fail-when 'Stop with exit code 1 when the output matches this regex'
            cand --ignore 'What this regex matches is left out when outputs are compared'
            cand --tool-errors 'What a tool error may do: guard, observe or fail [default: guard]'
            cand --poll 'From the end of one sample to the start of the next [default: 2s]'
            cand --max-wait 'The budget; over 300s is clamped to 300s [default: 120s]'
            cand --rounds 'How many budgets may follow one another; only a timeout starts the next [default: 1]'
            cand --retry-errors 'How many failed samples in a row are tolerated [default: 0]'
            cand --probe-timeout 'How long one sample may take'
            cand --output 'What stdout gets: json (the result), jsonl (every event as it happens), text (the last observation), aura (server-sent events in AURA''s words) or none'
            cand --record 'Record the wait to this new file alone, instead of one among the recordings'
            cand --stdio 'Start this command line as a server; split by POSIX quoting, without a shell'
            cand --env 'A variable for --stdio''s server, beside the inherited ones'
            cand --url 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse'
            cand --header 'A header for --url''s server'
            cand --mcp-config 'A file with mcpServers, or AURA''s or Codex''s TOML, over the project''s ./.mcp.json and the user''s own'
            cand --connect-timeout 'How long connecting may take, over an entry''s own timeout [default: 30s]'
            cand --no-record 'Don''t record the wait'
            cand -q 'Say nothing on stderr'
            cand --quiet 'Say nothing on stderr'
            cand --discover 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode'
            cand --trust 'Approve the servers of the project''s files and of the spec, for this once'
            cand -v 'Tell errors with their causes'
            cand --verbose 'Tell errors with their causes'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'stakeout;call'= {
            cand --server 'Which server''s tool; needed only where it isn''t clear'
            cand --args 'The arguments: a JSON object, @FILE, or - for standard input'
            cand --arg 'One argument: K=V is a string, K:=JSON is anything else'
            cand --probe-timeout 'How long the call may take'
            cand --stdio 'Start this command line as a server; split by POSIX quoting, without a shell'
            cand --env 'A variable for --stdio''s server, beside the inherited ones'
            cand --url 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse'
            cand --header 'A header for --url''s server'
            cand --mcp-config 'A file with mcpServers, or AURA''s or Codex''s TOML, over the project''s ./.mcp.json and the user''s own'
            cand --connect-timeout 'How long connecting may take, over an entry''s own timeout [default: 30s]'
            cand --json 'Print the result as it came, not as it is observed'
            cand --discover 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode'
            cand --trust 'Approve the servers of the project''s files and of the spec, for this once'
            cand -v 'Tell errors with their causes'
            cand --verbose 'Tell errors with their causes'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'stakeout;tools'= {
            cand --server 'The server, said as `run` and `call` take it'
            cand --stdio 'Start this command line as a server; split by POSIX quoting, without a shell'
            cand --env 'A variable for --stdio''s server, beside the inherited ones'
            cand --url 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse'
            cand --header 'A header for --url''s server'
            cand --mcp-config 'A file with mcpServers, or AURA''s or Codex''s TOML, over the project''s ./.mcp.json and the user''s own'
            cand --connect-timeout 'How long connecting may take, over an entry''s own timeout [default: 30s]'
            cand --json 'Print the tools with their schemas'
            cand --discover 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode'
            cand --trust 'Approve the servers of the project''s files and of the spec, for this once'
            cand -v 'Tell errors with their causes'
            cand --verbose 'Tell errors with their causes'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'stakeout;servers'= {
            cand --stdio 'Start this command line as a server; split by POSIX quoting, without a shell'
            cand --env 'A variable for --stdio''s server, beside the inherited ones'
            cand --url 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse'
            cand --header 'A header for --url''s server'
            cand --mcp-config 'A file with mcpServers, or AURA''s or Codex''s TOML, over the project''s ./.mcp.json and the user''s own'
            cand --connect-timeout 'How long connecting may take, over an entry''s own timeout [default: 30s]'
            cand --json 'Print JSON'
            cand --discover 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode'
            cand --trust 'Approve the servers of the project''s files and of the spec, for this once'
            cand -v 'Tell errors with their causes'
            cand --verbose 'Tell errors with their causes'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'stakeout;list'= {
            cand --json 'Print JSON'
            cand -v 'Tell errors with their causes'
            cand --verbose 'Tell errors with their causes'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'stakeout;check'= {
            cand --stdio 'Start this command line as a server; split by POSIX quoting, without a shell'
            cand --env 'A variable for --stdio''s server, beside the inherited ones'
            cand --url 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse'
            cand --header 'A header for --url''s server'
            cand --mcp-config 'A file with mcpServers, or AURA''s or Codex''s TOML, over the project''s ./.mcp.json and the user''s own'
            cand --connect-timeout 'How long connecting may take, over an entry''s own timeout [default: 30s]'
            cand --discover 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode'
            cand --trust 'Approve the servers of the project''s files and of the spec, for this once'
            cand -v 'Tell errors with their causes'
            cand --verbose 'Tell errors with their causes'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'stakeout;replay'= {
            cand --matches 'Stop when the output matches this regex'
            cand --not-matches 'Stop when the output no longer matches this regex'
            cand --quiet-for 'Stop when the output has not changed for this long'
            cand --fail-when 'Stop with exit code 1 when the output matches this regex'
            cand --ignore 'What this regex matches is left out when outputs are compared'
            cand --tool-errors 'What a tool error may do: guard, observe or fail [default: guard]'
            cand --speed 'How fast events are told: 1 is as they happened, 2 twice as fast [default: at once]'
            cand --output 'What stdout gets: jsonl (every event; the default), json (the result; the default with a condition), text (the last observation), aura (AURA''s events) or none'
            cand -q 'Say nothing on stderr'
            cand --quiet 'Say nothing on stderr'
            cand -v 'Tell errors with their causes'
            cand --verbose 'Tell errors with their causes'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'stakeout;serve'= {
            cand --allow 'Let this tool be probed though it doesn''t say that it only reads; globs, such as ''ci/get_*'''
            cand --default-max-wait 'The budget of a wait whose caller doesn''t say; at most the cap [default: 120s]'
            cand --max-wait-cap 'The longest that one call may wait, for hosts that cut off longer ones; at most 300s [default: 300s]'
            cand --max-waits 'How many waits may run at once, at most 1000'
            cand --record 'Record every wait, in this folder or where waits are recorded anyway'
            cand --http 'Serve over streamable HTTP, at /mcp, instead of stdin and stdout; beyond this machine only with a token, from STAKEOUT_TOKEN or --token-file'
            cand --token-file 'A file with the token that callers must bring, over STAKEOUT_TOKEN'
            cand --allow-host 'A name under which this server is reached, beside localhost; where any is given, others are refused'
            cand --allow-origin 'An origin whose web pages may call, such as https://app.example.com'
            cand --stdio 'Start this command line as a server; split by POSIX quoting, without a shell'
            cand --env 'A variable for --stdio''s server, beside the inherited ones'
            cand --url 'Speak to the server at this address: streamable HTTP, or HTTP+SSE where its path ends in /sse'
            cand --header 'A header for --url''s server'
            cand --mcp-config 'A file with mcpServers, or AURA''s or Codex''s TOML, over the project''s ./.mcp.json and the user''s own'
            cand --connect-timeout 'How long connecting may take, over an entry''s own timeout [default: 30s]'
            cand --discover 'Look into the files of other programs too: Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI and opencode'
            cand --trust 'Approve the servers of the project''s files and of the spec, for this once'
            cand -v 'Tell errors with their causes'
            cand --verbose 'Tell errors with their causes'
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'stakeout;demo-server'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'stakeout;completions'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'stakeout;man'= {
            cand -h 'Print help'
            cand --help 'Print help'
        }
        &'stakeout;help'= {
            cand run 'Wait until a tool''s output says what you are waiting for'
            cand call 'Call a tool once, and print its observation; exit code 1 on a tool error'
            cand tools 'List a server''s tools'
            cand servers 'List the servers, and where they come from'
            cand list 'List the saved waits and the recordings'
            cand check 'Validate a spec: is it portable, what does it need, what is odd about it'
            cand replay 'Play back a recording; with a condition, say what the wait would have come to'
            cand serve 'Be an MCP server whose tool wait_for waits, for agents'
            cand demo-server 'Be the demo server, over stdin and stdout'
            cand completions 'Print what completes this command line in a shell'
            cand man 'Print the manual page of stakeout, or of one of its commands'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'stakeout;help;run'= {
        }
        &'stakeout;help;call'= {
        }
        &'stakeout;help;tools'= {
        }
        &'stakeout;help;servers'= {
        }
        &'stakeout;help;list'= {
        }
        &'stakeout;help;check'= {
        }
        &'stakeout;help;replay'= {
        }
        &'stakeout;help;serve'= {
        }
        &'stakeout;help;demo-server'= {
        }
        &'stakeout;help;completions'= {
        }
        &'stakeout;help;man'= {
        }
        &'stakeout;help;help'= {
        }
    ]
    $completions[$command]
}
