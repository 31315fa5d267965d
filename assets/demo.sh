#!/bin/sh
# Plays the README's tour of the screen at a human pace, in the terminal it is started in.
#
#   assets/demo.sh [STAKEOUT]
#
# STAKEOUT is the program, or else the one on the path. It needs tmux. Without a terminal it prints
# what the screen shows at the end of each step. PACE is the seconds between two keys, 1 by default.
set -eu

program=$(command -v "${1:-stakeout}") || {
    echo "there is no ${1:-stakeout}; name the program, as in assets/demo.sh target/release/stakeout" >&2
    exit 2
}
case $program in /*) ;; *) program=$PWD/$program ;; esac
command -v tmux >/dev/null || { echo "tmux is needed to press the keys; install it" >&2; exit 2; }

pace=${PACE:-1}
home=$(mktemp -d)
socket=$home/socket
export TMUX=
trap 'tmux -S "$socket" kill-server 2>/dev/null || :; rm -rf "$home"' EXIT INT TERM

# Presses a key, by the name that the README gives it.
press() {
    case $1 in
        ←) key=Left ;;
        Shift-Tab) key=BTab ;;
        Backspace) key=BSpace ;;
        Esc) key=Escape ;;
        Ctrl-R) key=C-r ;;
        *) key=$1 ;;
    esac
    tmux -S "$socket" send-keys "$key"
    sleep "$pace"
}

# Types a text, letter by letter.
type_text() {
    printf '%s\n' "$1" | fold -w 1 | while IFS= read -r letter; do
        tmux -S "$socket" send-keys -l "$letter"
        sleep 0.08
    done
    sleep "$pace"
}

# Waits until the screen shows a text, for at most a minute.
see() {
    tries=0
    until tmux -S "$socket" capture-pane -p | grep -qF -- "$1"; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || { echo "the screen never showed: $1" >&2; return 1; }
        sleep 0.2
    done
    sleep "$pace"
}

# Presses a key until the cursor is in the line that is written for the pattern.
to_pattern() {
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
        press "$1"
        row=$(tmux -S "$socket" display-message -p '#{cursor_flag} #{cursor_y}')
        line=$(tmux -S "$socket" capture-pane -p | grep -nF 'not matches' | cut -d: -f1)
        [ "$row" != "1 $line" ] || return 0
    done
}

step_done() {
    [ -t 1 ] || { tmux -S "$socket" capture-pane -p; echo; }
}

play() {
    see 'stakeout-demo'
    press t
    see 'try 1'
    step_done
    press r
    see '✔ matched after'
    step_done
    press ←
    press {
    press End
    press d
    press /
    type_text 'web'
    press Enter
    press n
    press v
    step_done
    press E
    press Enter
    press ←
    press ←
    press Backspace
    press 2
    press Ctrl-R
    see '2/3'
    step_done
    press 1
    press /
    type_text 'queue'
    press Enter
    step_done
    press Enter
    press Shift-Tab
    press a
    type_text 'stakeout demo-server'
    press Enter
    see 'pod_delete'
    press /
    type_text 'build'
    press Enter
    to_pattern Tab
    type_text 'succeeded'
    press Ctrl-R
    see '✔ matched after'
    step_done
    press ?
    step_done
    press Esc
    press q
}

mkdir "$home/bin"
ln -s "$program" "$home/bin/stakeout"
if [ -t 1 ]; then
    columns=$(tput cols) rows=$(tput lines)
else
    columns=80 rows=24
fi
tmux -S "$socket" -f /dev/null new-session -d -x "$columns" -y "$rows" \
    "HOME='$home' XDG_CONFIG_HOME= XDG_STATE_HOME= XDG_DATA_HOME= PATH='$home/bin':\"\$PATH\" stakeout"
tmux -S "$socket" set-option -g status off
tmux -S "$socket" set-option -sg escape-time 20
if [ -t 1 ]; then
    play &
    tmux -S "$socket" attach-session
    wait
else
    play
fi
